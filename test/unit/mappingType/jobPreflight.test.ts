import { preflightJob, spellMappingTypes } from '../../../nodes/NativeBulkImport/job/jobPreflight';
import { WaitChoice } from '../../../nodes/NativeBulkImport/job/jobWait';
import { MappingTypeDescriptions } from '../../../nodes/NativeBulkImport/mappingType/mappingTypeDescriptions';
import { optionsCollection } from '../../../nodes/shared/operations/callOptions';
import { checkImportJob } from '../../../nodes/shared/service/importJob';
import { vocabularyOf } from '../../../nodes/shared/service/vocabulary';
import { itemOf } from '../parameters/nodeParameters';
import { scriptedService } from '../service/scriptedService';

const native = vocabularyOf('Native');

test('a mapping type in another casing is sent as the service spells it', async () => {
	const checked = checkImportJob(
		{
			description: 'Nightly sync',
			file: {
				fileName: 'a.csv',
				sourceUrl: 'https://files.example.org/a.zip',
				columns: [{ name: 'NativeId' }, { name: 'Email' }],
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'contacts',
					resultFileSizeKbLimit: 5000,
					mappingTypes: [{ name: 'eMAIL', fieldValueMappings: [{ fieldName: 'Email' }] }],
				},
			],
		},
		native,
	);
	if (!('job' in checked)) throw new Error(JSON.stringify(checked.problems));
	const { service } = scriptedService(() => ({
		status: 200,
		body: { name: 'Email', resourceTypes: ['Contacts'], fields: [{ name: 'Email' }] },
	}));
	const descriptions = new MappingTypeDescriptions(service);
	expect(await preflightJob(checked.job, descriptions, native)).toEqual([]);
	const { actions } = await spellMappingTypes(checked.job, descriptions);
	expect(actions).toMatchObject([{ resourceType: 'Contacts', mappingTypes: [{ name: 'Email' }] }]);
});

const choice = new WaitChoice({ displayName: 'Wait', name: 'wait' }, ['memory']);
const wait = (options: Record<string, unknown>) =>
	choice.read(itemOf({ options }, [optionsCollection(choice.fields)]));

test.each([0, -1, ' ', 'soon', {}])('a poll interval of %p is rejected', (pollInterval) => {
	expect(() => wait({ pollInterval })).toThrow(
		/^Poll Interval \(Seconds\): ".*" is not a number above 0/,
	);
});

test('times may be given as text', () => {
	expect(wait({ pollInterval: '30', maxWait: 2 })).toEqual({
		way: 'memory',
		pollIntervalMs: 30_000,
		maxWaitMs: 120_000,
	});
});
