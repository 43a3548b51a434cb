import { byId } from '../../hosts/locators';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { searchList } from './support/editor';
import { useSandbox } from './support/sandboxed';

/** From the sandbox's seed: a person, a tag for contacts, and an ID without a record. */
const AVERY = 100_001;
const TAG = 502;
const NOTHING = 999_999;

const node = new NativePeople();
const applyCode = (values: {
	nativeId: string;
	codeId: string;
	options?: { dryRun: boolean };
}) => ({
	resource: 'person',
	operation: 'applyCode',
	identifyBy: 'nativeId',
	options: {},
	...values,
	codeId: byId(values.codeId),
});

const service = useSandbox();

const codesOfAvery = () => service.people().find(({ nativeId }) => nativeId === AVERY)?.codeIds;

describe('applying a code to a person', () => {
	it('puts the code on the person, at the Medium rate', async () => {
		const { outputs } = await service.run(
			node,
			applyCode({ nativeId: String(AVERY), codeId: String(TAG) }),
		);
		expect(outputs[0]?.map(({ json }) => json)).toEqual([
			{ applied: true, personId: AVERY, nativeId: AVERY, codeId: TAG },
		]);
		expect(codesOfAvery()).toContain(TAG);
		expect(service.calls()).toMatchObject([
			{ method: 'POST', path: `/v2/people/${AVERY}/codes`, category: 'medium' },
		]);
	});

	it('is sent again when the response was lost, and leaves the code there once', async () => {
		service.addFault({ kind: 'resetAfter' });
		await service.run(node, applyCode({ nativeId: String(AVERY), codeId: String(TAG) }));
		expect(service.calls()).toHaveLength(2);
		expect(codesOfAvery()?.filter((codeId) => codeId === TAG)).toHaveLength(1);
	});

	it('sends nothing in a dry run and shows the request', async () => {
		const { outputs } = await service.run(
			node,
			applyCode({
				nativeId: String(AVERY),
				codeId: String(TAG),
				options: { dryRun: true },
			}),
		);
		expect(outputs[0]?.[0]?.json).toEqual({
			dryRun: true,
			request: { method: 'POST', path: `/people/${AVERY}/codes`, body: { codeId: TAG } },
		});
		expect(service.calls()).toEqual([]);
	});

	it('says what the service said of a code that does not exist', async () => {
		const { error } = await service.run(
			node,
			applyCode({ nativeId: String(AVERY), codeId: String(NOTHING) }),
		);
		expect(error?.message).toContain("'codeId' is not a code of this tenant");
	});

	it('takes a person by the ID of another system', async () => {
		const person = service.people().find(({ nativeId }) => nativeId === AVERY);
		const [identifier] = person?.identifiers ?? [];
		expect(identifier).toBeDefined();
		const { outputs } = await service.run(node, {
			...applyCode({ nativeId: '', codeId: String(TAG) }),
			identifyBy: 'type',
			personIdType: identifier?.type ?? '',
			personId: identifier?.externalId ?? '',
		});
		expect(codesOfAvery()).toContain(TAG);
		// No personId: the next node would take the other system's ID for the service's own.
		expect(outputs[0]?.map(({ json }) => json)).toEqual([
			{
				applied: true,
				personIdType: identifier?.type,
				externalId: identifier?.externalId,
				codeId: TAG,
			},
		]);
	});

	it('offers the codes by name in a list', async () => {
		const codes = await searchList({
			...service.setup(node),
			method: 'searchCodes',
			filter: 'appeal',
		});
		expect(codes.results).toEqual([{ name: 'Spring appeal (SourceCode)', value: 503 }]);
	});
});
