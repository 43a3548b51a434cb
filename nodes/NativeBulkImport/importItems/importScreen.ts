import { sortBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import type { OptionGroup } from '../../shared/execution/operation';
import { optionOfFields } from '../../shared/parameters/optionOfFields';
import type { GroupName, ImportFeature, ShownOptions } from './feature';

const GROUPS: Array<[GroupName, Omit<OptionGroup, 'options'>]> = [
	['list', { displayName: 'The List', name: 'listOptions', placeholder: 'Add to The List' }],
	['safety', { displayName: 'Safety', name: 'safetyOptions', placeholder: 'Add Safety' }],
	[
		'results',
		{
			displayName: 'Waiting and Results',
			name: 'resultOptions',
			placeholder: 'Add Waiting or Results',
		},
	],
];

type OneOption = Parameters<typeof optionOfFields>[0];

/** What Import Items and its features show, each in its group, in the order of use. */
export class ImportScreen {
	private readonly shown: ShownOptions[];

	constructor(features: readonly ImportFeature[]) {
		this.shown = features.flatMap(({ options }) => options ?? []);
	}

	add(group: GroupName, place: number, ...fields: INodeProperties[]): void {
		this.shown.push({ group, place, fields });
	}

	/** Adds the fields of a group as one option of another; nothing if no feature has any. */
	addAsOne(group: GroupName, place: number, of: GroupName, option: OneOption): void {
		const fields = this.fields(of);
		if (fields.length === 0) return;
		this.add(group, place, optionOfFields(option, { displayName: 'Fields', name: 'of' }, fields));
	}

	fields(group: GroupName): INodeProperties[] {
		const ofGroup = this.shown.filter((shown) => shown.group === group);
		return sortBy(ofGroup, 'place').flatMap(({ fields }) => fields);
	}

	get groups(): OptionGroup[] {
		return GROUPS.map(([name, group]) => ({ ...group, options: this.fields(name) }));
	}
}
