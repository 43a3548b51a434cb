import { invalidValue } from '../../../../shared/importFile/delimitedRows';
import { type Channel, type OptOutColumn } from '../../../../shared/importFile/optOutColumns';
import { sameName } from '../../../../shared/service/nearestName';
import { namedProperties, pathExpression } from '../../../rows/columnExpressions';
import type { ReadBeside } from '../../../rows/importRows';
import { textOf } from '../../mapping/fieldTexts';
import type { MappedField, MappingPlan, PlannedColumn } from '../../mapping/importMapping';

/** Fields with a way to reach somebody, by what people can refuse. */
const CONTACT_FIELDS: Record<Channel, RegExp> = {
	calls: /^(Cell|Work)?Phone$/i,
	texts: /^CellPhone$/i,
	emails: /^(Other|Work)?Email$/i,
	mail: /^(Mailing)?AddressLine\d$|^MailingAddress$/i,
};

/** Fields that say whether somebody may be reached, and the ID of an opt-out if the service was not asked (service.md 3.2). */
const STATUS_FIELDS: ReadonlyArray<readonly [Channel, RegExp, string]> = [
	['calls', /^PhoneOptInStatusID$/i, '3'],
	['texts', /^PhoneOptInStatusID$/i, '3'],
	['emails', /^EmailSubscriptionStatusID$/i, '0'],
];

/** `Opt-Out`, `Unsubscribed`. */
const OUT_NAME = /^(opt(ed)?[ -]?out|unsubscribed)\b/i;

/** Whether the opt-out of a channel can go into a field. */
export function isStatusField(field: string, channels: readonly Channel[]): boolean {
	return STATUS_FIELDS.some(
		([channel, pattern]) => channels.includes(channel) && pattern.test(field),
	);
}

const fieldsOf = ({ columns, fixed }: MappingPlan): MappedField[] => [
	...columns.flatMap(({ fields }) => fields),
	...fixed,
];

/** What stands for an opt-out in a field; undefined if nothing does. */
function outId({ field, accepted }: MappedField): string | undefined {
	if (!accepted) return STATUS_FIELDS.find(([, pattern]) => pattern.test(field))?.[2];
	const entry = accepted.entries.find(({ name }) => OUT_NAME.test(name ?? ''));
	return entry && String(entry.id);
}

/** The columns of an import that hold a way to reach somebody. */
export function contactColumns(
	columns: readonly PlannedColumn[],
	channel: Channel,
): PlannedColumn[] {
	const feeding = (pattern: RegExp): PlannedColumn[] =>
		columns.filter(
			({ expression, fields }) =>
				expression !== undefined && fields.some(({ field }) => pattern.test(field)),
		);
	const found = feeding(CONTACT_FIELDS[channel]);
	// Where no column is of cell phones, each number can be one.
	return channel === 'texts' && found.length === 0 ? feeding(CONTACT_FIELDS.calls) : found;
}

/** The columns that say who may be reached, and read an opt-out. */
export function statusColumns(
	columns: readonly PlannedColumn[],
	{ header, channels }: OptOutColumn,
): PlannedColumn[] {
	return columns.filter(
		({ expression = '', fields }) =>
			fields.some(({ field }) => isStatusField(field, channels)) &&
			namedProperties(expression).includes(header),
	);
}

/** With more values of the row for its conversion, after those that it reads already. */
function reading(
	column: PlannedColumn,
	expressions: readonly string[],
	convert: (own: (value: unknown) => unknown, value: unknown, read: ReadBeside) => unknown,
): PlannedColumn {
	const before = column.beside ?? [];
	return {
		...column,
		beside: [...before, ...expressions],
		convert(value, readBeside, row) {
			const own = (given: unknown): unknown =>
				column.convert ? column.convert(given, readBeside, row) : given;
			return convert(own, value, (index) => readBeside(before.length + index));
		},
	};
}

const saysOut = (outs: readonly OptOutColumn[], read: ReadBeside): boolean =>
	outs.some((out, index) => out.saysOut(textOf(read(index))));

const expressionsOf = (outs: readonly OptOutColumn[]): string[] =>
	outs.map(({ header }) => pathExpression([header]));

/** Without the contact data of people who do not want to be reached so. */
export function withoutContactData(
	columns: readonly PlannedColumn[],
	outs: readonly OptOutColumn[],
): PlannedColumn[] {
	const refusing = (column: PlannedColumn): OptOutColumn[] =>
		outs.filter(({ channels }) =>
			channels.some((channel) => contactColumns(columns, channel).includes(column)),
		);
	return columns.map((column) => {
		const found = refusing(column);
		if (found.length === 0) return column;
		return reading(column, expressionsOf(found), (own, value, read) =>
			saysOut(found, read) ? '' : own(value),
		);
	});
}

/** A field that takes opt-outs, and nothing else: who is not out keeps what the service has. */
export function withOptOuts(
	columns: readonly PlannedColumn[],
	outs: readonly OptOutColumn[],
	mapping: MappingPlan,
): PlannedColumn[] {
	return columns.map((column) => {
		const own = outs.filter((out) => statusColumns([column], out).length > 0);
		const [target] = column.fields;
		if (own.length === 0 || !target) return column;
		const found = outs.filter(({ channels }) => isStatusField(target.field, channels));
		const id = outId(target);
		const contact = fieldsOf(mapping).find(
			({ mappingType, field }) =>
				mappingType === target.mappingType &&
				(sameName(field, 'Phone') || sameName(field, 'Email')),
		);
		const beside = contact?.value.startsWith('=') ? [contact.value] : [];
		return reading(column, [...expressionsOf(found), ...beside], (_own, _value, read) => {
			if (!saysOut(found, read)) return '';
			// Without a number, there is nothing to opt out.
			if (beside.length > 0 && textOf(read(found.length)).trim() === '') return '';
			return (
				id ??
				invalidValue(
					column.title ?? column.label,
					`is an opt-out, and ${target.label} has no value for it.`,
				)
			);
		});
	});
}
