import { mapFields } from '../../../hosts/locators';
import { property } from '../../../test/engine/support/itemImports';
import { CONTACTS, CONTACTS_WITH_PHONES, GIFTS, type Kind } from '../kinds';
import type { StoryOption, StoryRun } from './storyOption';

/** What the rows are, and how their values are read. */

export const KINDS: Readonly<Record<string, Kind>> = {
	contacts: CONTACTS,
	contactsWithPhones: CONTACTS_WITH_PHONES,
	gifts: GIFTS,
};

const SOURCES = {
	/** One row per item. */
	items: 'items',
	itemsDetected: 'detect',
	file: 'binary',
	fileDetected: 'detect',
} as const;

export const isFile = ({ source = '' }: StoryRun['chosen']): boolean => source.startsWith('file');

const DELIMITERS: Record<string, string> = {
	detect: ';',
	CSV: ',',
	Pipe: '|',
	Tab: '\t',
	semicolon: ';',
};
/** What separates the values of the file that the node reads. */
export const delimiterOf = ({ sourceDelimiter = '' }: StoryRun['chosen']): string =>
	DELIMITERS[sourceDelimiter] ?? ',';

/** The fields of a run, with what its options add. */
export function fieldsOf(
	{ kind, chosen }: StoryRun,
	options: readonly StoryOption[],
	run: StoryRun,
): { columns: Record<string, string>; fixed: Record<string, string> } {
	const added = options.map(({ name, fields }) => fields?.(chosen[name] ?? '', run) ?? {});
	return {
		columns: Object.assign({}, kind.fields, ...added.map(({ columns }) => columns)) as Record<
			string,
			string
		>,
		fixed: Object.assign({}, kind.fixed, ...added.map(({ fixed }) => fixed)) as Record<
			string,
			string
		>,
	};
}

const ofContacts = { resourceType: ['contacts', 'contactsWithPhones'] };

export const listOptions: StoryOption[] = [
	{ name: 'resourceType', where: 'world', choices: ['contacts', 'contactsWithPhones', 'gifts'] },
	{
		name: 'source',
		where: 'parameter',
		choices: ['itemsDetected', 'items', 'file', 'fileDetected'],
		parameters: (choice) => ({ source: SOURCES[choice as keyof typeof SOURCES] }),
	},
	{
		name: 'sourceDelimiter',
		where: 'parameter',
		choices: ['detect', 'CSV', 'Pipe', 'Tab', 'semicolon'],
		needs: {
			CSV: { source: ['file'] },
			Pipe: { source: ['file'] },
			Tab: { source: ['file'] },
			semicolon: { source: ['file'] },
		},
		parameters: (choice) => ({ sourceDelimiter: choice }),
	},
	{
		name: 'inputDataFieldName',
		where: 'parameter',
		choices: ['data', 'list'],
		needs: { list: { source: ['file'] } },
		parameters: (choice) => ({ inputDataFieldName: choice }),
	},
	{
		name: 'columns',
		where: 'parameter',
		choices: ['chosen', 'recognized'],
		needs: { recognized: { resourceType: ['contacts'] } },
		parameters: (choice, run) => {
			if (choice === 'recognized') return { columns: choice };
			const { columns, fixed } = fieldsOf(run, [...listOptions, ...ownFields], run);
			const read = Object.entries(columns).map(([field, column]) => [field, property(column)]);
			return {
				columns: choice,
				fieldMap: mapFields({ ...(Object.fromEntries(read) as Record<string, string>), ...fixed }),
			};
		},
	},
	{
		name: 'ownHeaders',
		where: 'option',
		choices: ['none', 'some'],
		needs: { some: { columns: ['recognized'] } },
		value: (choice) =>
			choice === 'some'
				? {
						header: [
							{ header: 'Note', field: 'CreateOrUpdateContact:OccupationName' },
							{ header: 'No Such Header', field: 'CreateOrUpdateContact:Title' },
						],
					}
				: undefined,
		fields: (choice) =>
			choice === 'some' ? { columns: { 'CreateOrUpdateContact:OccupationName': 'Note' } } : {},
	},
	{
		name: 'cleanValues',
		where: 'option',
		choices: ['on', 'off'],
		value: (choice) => (choice === 'off' ? false : undefined),
		sent: (choice, text, { clean }) => (choice === 'on' ? (clean ?? text) : text),
		problem: (choice, _text, { isWrong }) => (choice === 'on' ? isWrong : undefined),
	},
	{
		name: 'dateFormat',
		where: 'option',
		choices: ['recognized', 'monthFirst', 'dayFirst', 'yearFirst', 'other'],
		needs: {
			monthFirst: ofContacts,
			dayFirst: ofContacts,
			yearFirst: ofContacts,
			other: ofContacts,
		},
		value: (choice) => (choice === 'other' ? 'd.M.yyyy' : choice),
		given: (choice, { day, given }) => {
			if (day === undefined || choice === 'recognized') return given;
			const [year = '', month = '', dayOfMonth = ''] = day.split('-').map(Number).map(String);
			if (choice === 'monthFirst') return `${month}/${dayOfMonth}/${year}`;
			if (choice === 'yearFirst') return `${year}/${month}/${dayOfMonth}`;
			return [dayOfMonth, month, year].join(choice === 'dayFirst' ? '/' : '.');
		},
		sent: (_choice, text, { day }) => day ?? text,
		// A date in another order cannot be read by the chosen one; what is recognized is cleaned.
		problem: (choice, text) =>
			choice !== 'recognized' && text === '99/99/1970' ? /Date of Birth/ : undefined,
	},
];

/** Options with fields of their own, which stand elsewhere. */
const ownFields: StoryOption[] = [];
export const addFields = (...options: StoryOption[]): void => void ownFields.push(...options);
