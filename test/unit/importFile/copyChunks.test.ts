import { copyChunks, joinChunks } from '../../../nodes/shared/importFile/importFiles';
import { CountingSlice } from '../../support/countingSlice';

test('chunks are copied one behind the other, with pauses when a slice is over', async () => {
	const target = Buffer.from('..........');
	let looks = 0;
	let pauses = 0;
	const slice = {
		get isOver() {
			return looks++ === 1;
		},
		yield: async () => {
			pauses++;
			await Promise.resolve();
		},
	};
	const chunks = ['ab', '', 'cde'].map((text) => Buffer.from(text));
	await copyChunks(chunks, target, 3, slice);
	expect(target.toString()).toBe('...abcde..');
	expect(pauses).toBe(1);
});

test('chunks are joined with a pause before each', async () => {
	const slice = new CountingSlice();
	const chunks = ['ab', '', 'cde'].map((text) => Buffer.from(text));
	expect((await joinChunks(chunks, slice)).toString()).toBe('abcde');
	expect(slice.pauses).toBe(3);
});
