import { isRefused, refuseCalls } from '../../../nodes/NativeBulkImport/wait/databaseWait';

test('a call that takes its time is refused for ten minutes, whatever other waits end meanwhile', () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(0);
	refuseCalls('wait');
	now.mockReturnValue(600_000);
	refuseCalls('other');
	expect(isRefused('wait')).toBe(true);
	now.mockReturnValue(600_001);
	expect(isRefused('wait')).toBe(false);
	expect(isRefused('never')).toBe(false);
});
