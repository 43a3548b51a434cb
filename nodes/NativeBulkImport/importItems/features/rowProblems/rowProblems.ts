import { sumBy, upperFirst } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { kindOfValues, pluralOf } from '../../../../shared/importFile/columnValues';
import { type InvalidRow, NoRecord } from '../../../../shared/importFile/delimitedRows';
import { InvalidInput, type Problem } from '../../../../shared/service/invalidInput';
import { rowName } from '../../../rows/importRows';
import type { ImportFeature } from '../../feature';
import { RowContacts } from '../../mapping/rowContact';
import { SHOWN_NAMES, shownNames } from '../../mapping/shownNames';
import { type ImportNote, type ImportPlan, noteOn, type RowVisitor } from '../../model';
import { OtherHeader, RowRules, UnfindableRow } from './rowRules';

const LABEL = 'Allow Unfindable People';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'allowUnfindable',
	type: 'boolean',
	default: false,
	description:
		'Whether to store people whose row does not have enough data to find them again, e.g. only a name and a ZIP code. Each import of the list stores them again.',
};

/** `"Best # to reach" holds phone numbers, but is not imported.` */
function missedColumns({ leftOut }: ImportPlan): string[] {
	return leftOut.flatMap(({ column, firstValues }) => {
		const kind = kindOfValues(firstValues);
		return kind === undefined ? [] : `"${column}" holds ${pluralOf(kind)}, but is not imported.`;
	});
}

/** What was found out about the rows of a list. */
class RowFindings implements RowVisitor {
	/** Rows of people. */
	private people = 0;
	private readonly found = new Map<string, { count: number; first: number[] }>();
	private unfindable = 0;
	private otherHeader: number | undefined;

	constructor(private readonly plan: ImportPlan) {}

	visit(row: readonly unknown[] | InvalidRow, position: number): void {
		if (!(row instanceof NoRecord)) this.people++;
		if (row instanceof OtherHeader) this.otherHeader ??= position;
		if (row instanceof UnfindableRow) this.unfindable++;
		if (row instanceof NoRecord || row instanceof UnfindableRow) this.add(row, position);
	}

	/** People who cannot be found again are told as one, whatever each of them lacks. */
	private add(row: InvalidRow, position: number): void {
		const text =
			row instanceof UnfindableRow
				? 'does not have enough data to be found again'
				: row.reason.replace(/\.$/, '');
		const known = this.found.get(text) ?? { count: 0, first: [] };
		this.found.set(text, known);
		if (known.count++ < SHOWN_NAMES) known.first.push(position);
	}

	/** What is to be said of rows that are not sent. */
	notes(): ImportNote[] {
		const nameOf = rowName(this.plan.rows);
		const texts = [...this.found].map(
			([text, { count, first }]) => `${shownNames(first.map(nameOf), count)} (${text})`,
		);
		if (texts.length === 0) return [];
		const all = [...this.found.values()];
		const named = all.flatMap(({ first }) => first);
		return [noteOn(`Not sent: ${texts.join('; ')}.`, named, sumBy(all, 'count'))];
	}

	end(): void {
		if (this.problem) throw new InvalidInput([this.problem]);
	}

	/** Why nothing of the list is sent. */
	private get problem(): Problem | undefined {
		const { otherHeader, unfindable, people, plan } = this;
		if (otherHeader !== undefined) {
			const text =
				'names different columns from the list above it, so the file holds two lists. Import each as a separate list.';
			return { field: upperFirst(rowName(plan.rows)(otherHeader)), text };
		}
		if (unfindable * 2 <= people) return undefined;
		const missed = missedColumns(plan).join(' ');
		const ids = plan.mapping.columns.filter(({ isRecordId }) => isRecordId);
		const blank = ids.map(({ label }) => ` ${label} is blank in them.`).join('');
		const advice = missed === '' ? 'Add' : `${missed} Map it, or add`;
		return {
			field: 'Most rows',
			text: `do not have enough data to be found again (${unfindable} of ${people}), so each import would store these people again.${blank} ${advice} an email address, a phone number, or a ZIP code with date of birth or street; or turn on the option ${LABEL}.`,
		};
	}
}

export const rowProblems: ImportFeature = {
	options: { group: 'safety', place: 80, fields: [option] },
	setting: {
		label: LABEL,
		of: (parameters) => parameters.in('options').flag(option.name),
	},
	of({ parameters, sends }) {
		if (!sends) return undefined;
		const areAllowed = parameters.in('options').flag(option.name);
		let properties: readonly string[] = [];
		let findings: RowFindings | undefined;
		return {
			async checkMapping(_, rows) {
				properties = await rows.properties();
			},
			judge({ mapping, service }) {
				const contacts = RowContacts.of(mapping, service.vocabulary.personIdColumn);
				return new RowRules(mapping, contacts, properties, areAllowed);
			},
			visit: (plan) => (findings = new RowFindings(plan)),
			sentences: () => findings?.notes() ?? [],
		};
	},
};
