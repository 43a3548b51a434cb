import { memoize, uniqBy } from 'lodash';

import { trimmed } from '../../../../shared/importFile/columnValues';
import {
	fileText,
	InvalidRow,
	invalidValue,
	NoRecord,
} from '../../../../shared/importFile/delimitedRows';
import {
	isOrganizationName,
	isTypeHeader,
	namesTwo,
	saysOrganization,
} from '../../../../shared/importFile/organizationNames';
import { isFooter, isTotal, LaterHeaders } from '../../../../shared/importFile/nobodyRows';
import { sameName } from '../../../../shared/service/nearestName';
import { columnTitle, pathExpression } from '../../../rows/columnExpressions';
import type { RowColumn } from '../../../rows/importRows';
import { TEXTS, textOf } from '../../mapping/fieldTexts';
import { isOfContact, type MappingPlan, type PlannedColumn } from '../../mapping/importMapping';
import type { RowContacts } from '../../mapping/rowContact';
import type { RowJudge } from '../../model';

/** A person who would be stored anew by each import. */
export class UnfindableRow extends InvalidRow {}

/** A row that names different columns from the first line. */
export class OtherHeader extends NoRecord {}

const REPEATED_HEADER = new NoRecord('Row', 'repeats the line that names the columns.');
const OTHER_HEADER = new OtherHeader('Row', 'names different columns from the list above it.');
const TOTAL = new NoRecord('Row', 'is a total, not a person.');
const FOOTER = new NoRecord('Row', 'is a note below the list, not a person.');
const ALONE = new NoRecord(
	'Row',
	'has a value in only one column, like a title or the name of a group.',
);

const ORGANIZATION =
	'looks like an organization, and would be stored as a person. Import organizations as a separate list, with their names in Organization Common Name.';
const TWO_PEOPLE =
	'holds two people, and would be stored as one. Put each into a separate row, or keep one of them.';

const LONGEST = 200;

interface NameColumn {
	title: string;
	/** Its index among the own columns. */
	at: number;
	isFirst: boolean;
	isLast: boolean;
}

/** Columns with these are enough to tell a title or a group from a person. */
const FEWEST_COLUMNS = 3;

/** The rules for whole rows; one object judges one reading. */
export class RowRules implements RowJudge {
	readonly columns: readonly RowColumn[];
	private readonly titles: readonly string[];
	/** In the form in which titles are compared. */
	private readonly sameTitles: readonly string[];
	private readonly names: readonly NameColumn[];
	/** Where the columns that say what a row is begin. */
	private readonly typesFrom: number;
	private readonly laterHeaders = new LaterHeaders();
	/** Texts of the row that is judged. Reused, because new lists for each row would take most of the time. */
	private readonly texts: string[] = [];
	private readonly filled: string[] = [];
	private readonly unfindable = memoize(
		(missing: string): UnfindableRow =>
			new UnfindableRow(
				'Row',
				`does not have enough data to be found again, so each import would store the person again. Add ${missing}.`,
			),
	);

	/**
	 * @param contacts of imports that store people
	 * @param properties of the list
	 * @param areAllowed whether people who cannot be found again may be stored
	 */
	constructor(
		{ columns }: MappingPlan,
		private readonly contacts: RowContacts | undefined,
		properties: readonly string[],
		private readonly areAllowed: boolean,
	) {
		const read = uniqBy(columns.filter(hasTitle), 'expression');
		this.titles = read.map(({ expression }) => columnTitle(expression) ?? '');
		this.sameTitles = this.titles.map((title) => title.trim().toLowerCase());
		const types = contacts ? properties.filter(isTypeHeader) : [];
		this.typesFrom = read.length;
		this.columns = [
			...read.map(({ name, expression }) => ({ name, expression })),
			...types.map((name) => ({ name, expression: pathExpression([name]) })),
		];
		const feeds = (expression: string, field: string): boolean =>
			columns.some(
				(column) =>
					column.expression === expression &&
					column.fields.some((one) => isOfContact(one) && sameName(one.field, field)),
			);
		this.names = read.flatMap(({ expression }, at) => {
			const isFirst = feeds(expression, 'FirstName');
			const isLast = feeds(expression, 'LastName');
			const title = this.titles[at] ?? '';
			return isFirst || isLast ? [{ title, at, isFirst, isLast }] : [];
		});
	}

	judge(row: readonly unknown[], own: readonly unknown[]): InvalidRow | undefined {
		const { texts } = this;
		for (let index = 0; index < own.length; index++) texts[index] = judgedText(own[index]);
		const nobody = this.nobody(row, texts);
		if (nobody) return nobody;
		const { contacts } = this;
		if (!contacts) return undefined;
		const other = this.otherName(row, texts);
		if (other) return other;
		const missing = this.areAllowed ? undefined : contacts.missing(row);
		// A value that cannot be written says more.
		if (missing === undefined || row.some((value) => fileText(value, '') instanceof InvalidRow))
			return undefined;
		return this.unfindable(missing);
	}

	/** Why a row is certainly nobody. */
	private nobody(row: readonly unknown[], texts: readonly string[]): NoRecord | undefined {
		const { sameTitles, typesFrom, contacts, filled } = this;
		let areTitles = true;
		let count = 0;
		for (let index = 0; index < typesFrom; index++) {
			const text = texts[index] ?? '';
			if (text === '') continue;
			filled[count++] = text;
			areTitles &&= text.toLowerCase() === sameTitles[index];
		}
		filled.length = count;
		const first = filled[0] ?? '';
		if (areTitles && filled.length > 1) return REPEATED_HEADER;
		if (isTotal(filled)) return TOTAL;
		if (this.laterHeaders.isHeader(filled)) return OTHER_HEADER;
		if (!contacts || contacts.hasFinder(row)) return undefined;
		if (isFooter(first)) return FOOTER;
		if (filled.length !== 1 || typesFrom < FEWEST_COLUMNS) return undefined;
		const isName = this.names.some(({ at }) => texts[at] === first) && !/\d/.test(first);
		return isName && this.areAllowed ? undefined : ALONE;
	}

	/** Why the name of a row is not the name of one person. */
	private otherName(row: readonly unknown[], texts: readonly string[]): InvalidRow | undefined {
		if (this.contacts?.isOrganization(row)) return undefined;
		let first: NameColumn | undefined;
		let two: NameColumn | undefined;
		let name = '';
		// A person with a first and a last name is the contact of an organization.
		let isWhole = false;
		for (const column of this.names) {
			const text = TEXTS.name.said(texts[column.at] ?? '');
			if (text === '') continue;
			isWhole = first !== undefined;
			name = isWhole ? `${name} ${text}` : text;
			first ??= column;
			if (!two && namesTwo(text)) two = column;
		}
		if (!first) return undefined;
		if (isOrganizationName(name)) return invalidValue(first.title, ORGANIZATION);
		if (!isWhole)
			for (let index = this.typesFrom; index < texts.length; index++)
				if (saysOrganization(texts[index] ?? '')) return invalidValue(first.title, ORGANIZATION);
		return two && invalidValue(two.title, TWO_PEOPLE);
	}
}

function judgedText(value: unknown): string {
	const text = textOf(value);
	return trimmed(text.length > LONGEST ? text.slice(0, LONGEST) : text);
}

function hasTitle(column: PlannedColumn): column is PlannedColumn & { expression: string } {
	return column.expression !== undefined && columnTitle(column.expression) !== undefined;
}
