import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { packageNodes } from '../engine/support/packageNodes';

/** A text on a screen, and where it is. */
interface Shown {
	where: string;
	property: INodeProperties;
}

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

function* shownIn(where: string, entries: readonly Entry[]): Generator<Shown> {
	for (const entry of entries) {
		if ('values' in entry) {
			yield* shownIn(`${where} → ${entry.displayName}`, entry.values);
		} else if ('type' in entry) {
			const place = `${where} → ${entry.displayName}`;
			yield { where: place, property: entry };
			yield* shownIn(place, entry.options ?? []);
		}
	}
}

const nodes = [...packageNodes().values()].map(({ node }) => node.description);
const shown: Shown[] = [
	...nodes.flatMap(({ displayName, properties }) => [...shownIn(displayName, properties)]),
	...shownIn('Credential', new NativeApi().properties),
];

const choicesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

const texts = shown.flatMap(({ where, property }) => [
	{ where, text: property.description },
	...choicesOf(property).map(({ name, description }) => ({
		where: `${where} → ${name}`,
		text: description,
	})),
]);

/** Where a rule is broken, for the message of a failed test. */
const broken = (isBroken: (entry: Shown) => boolean) =>
	new Set(shown.filter(isBroken).map(({ where, property }) => `${where} [${property.name}]`));

const none = new Set<string>();

const NO_TEXT_NEEDED = new Set(['notice', 'collection', 'resourceMapper', 'hidden']);
const CHOOSERS = new Set(['resource', 'operation']);

describe('the texts of every screen', () => {
	it('explain every field', () => {
		expect(
			broken(
				({ property: { name, type, description } }) =>
					!description && !NO_TEXT_NEEDED.has(type) && !CHOOSERS.has(name),
			),
		).toEqual(none);
	});

	it('are shorter than 200 characters', () => {
		const long = texts.filter(({ text }) => (text ?? '').length >= 200);
		expect(long.map(({ where, text }) => `${where}: ${text?.length} ${text}`)).toEqual([]);
	});

	it('end with a full stop where there are several sentences, and only there', () => {
		const odd = texts.filter(({ text }) => {
			if (!text) return false;
			const sentences = text.replace(/e\.g\./g, 'eg').match(/[.!?](?= |$)/g) ?? [];
			const endsWithStop = text.endsWith('.');
			return sentences.length > 1 ? !endsWithStop : endsWithStop;
		});
		expect(odd).toEqual([]);
	});

	it('begin with "Whether" for a switch, and name what it turns on', () => {
		const switches = broken(
			({ property: { type, description = '' } }) =>
				type === 'boolean' && !description.startsWith('Whether '),
		);
		const negated = broken(
			({ property: { type, displayName } }) =>
				type === 'boolean' &&
				/\b(Omit|Skip|Disable|Ignore|Without|Not?|Never)\b/i.test(displayName),
		);
		expect([switches, negated]).toEqual([none, none]);
	});

	it('begin a placeholder with "e.g."', () => {
		expect(
			broken(
				({ property: { type, placeholder } }) =>
					type === 'string' && placeholder !== undefined && !placeholder.startsWith('e.g. '),
			),
		).toEqual(none);
	});

	it('name the unit of a number in its label', () => {
		const UNIT = /\b(seconds?|minutes?|hours?|kilobytes?|megabytes?|KB|MB|percent)\b/i;
		expect(
			broken(
				({ property: { type, displayName, description = '' } }) =>
					type === 'number' &&
					UNIT.test(`${displayName} ${description}`) &&
					!/\((Seconds|Minutes|KB|MB|%|Requests per Second)\)$/.test(displayName),
			),
		).toEqual(none);
	});

	it('are labels in Title Case', () => {
		const small =
			/^(a|an|and|as|at|but|by|for|from|if|in|into|it|its|of|on|or|per|the|to|with|e\.g\.|v\d)$/;
		const isTitle = (label: string) =>
			label
				.split(/[\s/()–→,]+/)
				.filter((word) => word !== '')
				.every((word, index) => /^[^a-z]/.test(word) || (index > 0 && small.test(word)));
		expect(
			broken(({ property: { type, displayName } }) => type !== 'notice' && !isTitle(displayName)),
		).toEqual(none);
	});

	it('are actions in sentence case, without an article', () => {
		const actions = shown.flatMap(({ property }) =>
			choicesOf(property).flatMap(({ action }) => action ?? []),
		);
		expect(actions.length).toBeGreaterThan(30);
		expect(
			actions.filter(
				(action) =>
					!/^[A-Z][^A-Z]*$/.test(action.replace(/\b(AI|CSV)\b/g, '')) ||
					/\b(a|an|the)\b(?! CSV file)/i.test(action),
			),
		).toEqual([]);
	});
});

test('Sections to Include is an option only where the record is returned', () => {
	const sections = shown.filter(
		({ where, property: { name } }) => name === 'expand' && where.includes('People → Options'),
	);
	expect(sections.map(({ property }) => property.displayOptions)).toEqual(
		Array(4).fill({ show: { fullRecord: [true] } }),
	);
});

describe('an operation that reads records', () => {
	/** They return names only. */
	const namesOnly = ['codeType getAll', 'supportedEntity getAll', 'resourceType getAll'];

	it('lets an AI tool choose between simplified, raw and selected fields', () => {
		const reading = nodes.flatMap(({ properties }) => {
			const toolOutputs = properties.filter(
				({ name, displayOptions }) => name === 'output' && displayOptions?.show?.['@tool'],
			);
			return properties
				.filter(({ name }) => name === 'operation')
				.flatMap((operation) =>
					choicesOf(operation).flatMap(({ value }) => {
						const [resource] = operation.displayOptions?.show?.resource ?? [];
						const isOffered = toolOutputs.some(
							({ displayOptions: { show } = {} }) =>
								show?.operation?.includes(value) &&
								(!resource || show.resource?.includes(resource as never)),
						);
						return /^(get|getAll|getFieldValues)$/.test(String(value))
							? [{ where: `${String(resource)} ${String(value)}`, isOffered }]
							: [];
					}),
				);
		});
		expect(reading.length).toBeGreaterThan(14);
		expect(reading.filter(({ isOffered }) => !isOffered).map(({ where }) => where)).toEqual(
			expect.arrayContaining(namesOnly),
		);
		expect(reading.filter(({ isOffered }) => !isOffered)).toHaveLength(namesOnly.length);
	});
});

it('shows no field by a condition that asks a value for a method or compiles an expression', () => {
	// n8n 2.8.4 asks a missing value for the method, and no workflow with the node can be published. Expressions are
	// compiled with a time limit, which a busy n8n exceeds.
	expect(
		broken(({ property: { displayOptions } }) =>
			/"(startsWith|endsWith|includes|regex)":/.test(JSON.stringify(displayOptions ?? {})),
		),
	).toEqual(none);
});
