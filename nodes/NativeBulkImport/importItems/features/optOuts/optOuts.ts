import { uniq, uniqBy } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FileRow } from '../../../../shared/importFile/importFiles';
import { InvalidRow } from '../../../../shared/importFile/delimitedRows';
import {
	CHANNELS,
	type Channel,
	type OptOutColumn,
	optOutColumn,
} from '../../../../shared/importFile/optOutColumns';
import { counted } from '../../../../shared/service/counted';
import { InvalidInput } from '../../../../shared/service/invalidInput';
import { pathExpression } from '../../../rows/columnExpressions';
import { type RowColumn, rowName } from '../../../rows/importRows';
import { CONTACT_PLACE, type ImportFeature } from '../../feature';
import { textOf } from '../../mapping/fieldTexts';
import type { MappableField } from '../../mapping/headerMapping';
import { shownNames, SHOWN_NAMES } from '../../mapping/shownNames';
import { type ImportNote, type ImportPlan, noteOn, type RowVisitor } from '../../model';
import {
	contactColumns,
	isStatusField,
	statusColumns,
	withOptOuts,
	withoutContactData,
} from './optOutTargets';

const LABEL = 'Opt-Outs in the List';

const CHOICES = ['stop', 'leaveOut', 'send', 'ignore'] as const;
type Choice = (typeof CHOICES)[number];

const option: INodeProperties = {
	displayName: LABEL,
	name: 'optOuts',
	type: 'options',
	options: [
		{
			name: 'Import Anyway',
			value: 'ignore',
			description: 'Send the phone numbers and email addresses of these people, too',
		},
		{
			name: 'Leave Out Contact Data',
			value: 'leaveOut',
			description: 'Send these people without the phone number or email address',
		},
		{
			name: 'Send the Opt-Out',
			value: 'send',
			description: 'Needs a mapping type with a field for it, such as Phones or Email',
		},
		{
			name: 'Stop',
			value: 'stop',
			description: 'Send nothing if a column says that people do not want to be contacted',
		},
	],
	default: 'stop',
	description:
		'What to do if a column such as Do Not Call, Unsubscribed or Email Status says that people do not want to be contacted',
};

const enumeration = new Intl.ListFormat('en-GB');

/** `phone numbers and email addresses`. */
function words(channels: readonly Channel[], kind: 'no' | 'data'): string {
	const shown = channels.filter((channel) => channel !== 'texts' || !channels.includes('calls'));
	return enumeration.format(shown.map((channel) => CHANNELS[channel][kind]));
}

/** A column that opts people out of what an import sends. */
interface Counted {
	out: OptOutColumn;
	/** Its channels for which the import sends something. */
	channels: Channel[];
	/** Where these values are among the own columns of the visitor. */
	contactsAt: number[];
	rows: number;
	first: number[];
	/** Whether a field takes its opt-outs. */
	isSent: boolean;
}

/** Counts the people who do not want to be contacted. */
class OptOutCounts implements RowVisitor {
	readonly columns: readonly RowColumn[];
	private readonly counted: Counted[];

	constructor(
		outs: readonly OptOutColumn[],
		private readonly plan: ImportPlan,
		private readonly choice: Choice,
	) {
		const { columns } = plan.mapping;
		const contacts = uniqBy(
			(Object.keys(CHANNELS) as Channel[]).flatMap((channel) => contactColumns(columns, channel)),
			'expression',
		);
		this.counted = outs.flatMap((out): Counted[] => {
			const found = out.channels.map((channel) => ({
				channel,
				reached: contactColumns(columns, channel).map(({ expression }) => expression),
			}));
			const reached = found.filter((one) => one.reached.length > 0);
			const expressions = reached.flatMap((one) => one.reached);
			if (expressions.length === 0) return [];
			const contactsAt = contacts.flatMap(({ expression }, index) =>
				expressions.includes(expression) ? [index] : [],
			);
			const isSent = reached.every(({ channel }) =>
				outs.some((other) => statusColumns(columns, { ...other, channels: [channel] }).length > 0),
			);
			const channels = reached.map(({ channel }) => channel);
			return [{ out, channels, contactsAt, rows: 0, first: [], isSent }];
		});
		this.columns = [
			...contacts.map(({ name, expression }) => ({ name, expression })),
			...this.counted.map(({ out: { header } }) => ({
				name: header,
				expression: pathExpression([header]),
			})),
		];
	}

	visit(row: FileRow, position: number, own: readonly unknown[]): void {
		// It is not sent.
		if (row instanceof InvalidRow) return;
		const start = this.columns.length - this.counted.length;
		for (const [index, one] of this.counted.entries()) {
			const text = textOf(own[start + index]);
			if (text === '' || !one.out.saysOut(text)) continue;
			if (one.contactsAt.every((at) => textOf(own[at]).trim() === '')) continue;
			if (one.rows++ < SHOWN_NAMES) one.first.push(position);
		}
	}

	private get found(): Counted[] {
		return this.counted.filter(({ rows }) => rows > 0);
	}

	/** `"Do Not Call" says of 12 rows that they want no calls (line 3, line 9)`. */
	private sayingOf({ out, channels, rows, first }: Counted): string {
		const lines = shownNames(first.map(rowName(this.plan.rows)), rows);
		return `"${out.header.slice(0, 60)}" says of ${counted(rows, 'row')} that they want ${words(channels, 'no')} (${lines})`;
	}

	private doneWith({ channels }: Counted): string {
		const data = words(channels, 'data');
		if (this.choice === 'leaveOut') return `Their ${data} are not imported.`;
		if (this.choice === 'send') return `Their opt-out is sent with their ${data}.`;
		return `Their ${data} are imported, as chosen in ${LABEL}.`;
	}

	notes(): ImportNote[] {
		if (this.problem !== undefined) return [];
		return this.found.map((one) =>
			noteOn(`${this.sayingOf(one)}. ${this.doneWith(one)}`, one.first, one.rows),
		);
	}

	/** Why nothing is sent. */
	private get problem(): string | undefined {
		const { found, choice } = this;
		if (choice === 'stop' && found.length > 0) {
			const data = words(uniq(found.flatMap(({ channels }) => channels)), 'data');
			return `needs a choice of what to do with ${data} before anything is sent: ${enumeration.format(found.map((one) => this.sayingOf(one)))}. Choose it in ${CONTACT_PLACE}.`;
		}
		const unsent = choice === 'send' ? found.filter(({ isSent }) => !isSent) : [];
		if (unsent.length === 0) return undefined;
		return `is set to Send the Opt-Out, and no field takes it: ${enumeration.format(unsent.map((one) => this.sayingOf(one)))}. Map the column to a field such as Opt-in status of the mapping type Phones, or Subscription status of Email, or choose another setting.`;
	}

	end(): void {
		const { problem } = this;
		if (problem !== undefined) throw new InvalidInput([{ field: LABEL, text: problem }]);
	}

	shown(): IDataObject {
		const optOuts = this.found.map(({ out, channels, rows }) => ({
			column: out.header,
			of: [...channels],
			rows,
		}));
		return optOuts.length > 0 ? { optOuts } : {};
	}
}

/** The fields that take the opt-outs of a list whose columns are recognized; each field from one column. */
function givenHeaders(outs: readonly OptOutColumn[], fields: readonly MappableField[]) {
	const taken = new Set<MappableField>();
	return outs.flatMap(({ header, channels }) => {
		const own = fields.filter((field) => isStatusField(field.name, channels) && !taken.has(field));
		for (const field of own) taken.add(field);
		return own.length > 0 ? [{ header, fields: own }] : [];
	});
}

export const optOuts: ImportFeature = {
	options: { group: 'contact', place: 10, fields: [option] },
	guards: [option.name],
	setting: {
		label: LABEL,
		of: (parameters) => parameters.in('options').choice('optOuts', CHOICES),
	},
	of({ parameters, sends }) {
		if (!sends) return undefined;
		const choice = parameters.in('options').choice('optOuts', CHOICES);
		/** The headers that were given to fields which take nothing but opt-outs. */
		const given = new Set<string>();
		let outs: readonly OptOutColumn[] = [];
		let counts: OptOutCounts | undefined;
		const readOuts = (properties: readonly string[]): OptOutColumn[] =>
			uniq(properties).flatMap((header) => optOutColumn(header) ?? []);
		// A column of anything else can be mapped by hand to say who agreed.
		const areSent = (): OptOutColumn[] =>
			outs.filter(({ header, isOnlyOptOut }) => isOnlyOptOut || given.has(header));
		return {
			headers(properties, fields) {
				if (choice !== 'send') return {};
				const headers = givenHeaders(readOuts(properties), fields);
				for (const { header } of headers) given.add(header);
				return { given: headers };
			},
			async checkMapping(_, rows) {
				outs = readOuts(await rows.properties());
			},
			optsNobodyIn: (column) => areSent().some((out) => statusColumns([column], out).length > 0),
			convert(columns, mapping) {
				const left = choice === 'leaveOut' ? withoutContactData(columns, outs) : [...columns];
				return withOptOuts(left, areSent(), mapping);
			},
			visit: (plan) => (counts = new OptOutCounts(outs, plan, choice)),
			sentences: () => counts?.notes() ?? [],
			shown: () => ({ summary: counts?.shown() ?? {} }),
		};
	},
};
