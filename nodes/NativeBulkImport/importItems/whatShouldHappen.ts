import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { NodeContext } from '../../shared/execution/operation';
import { type Fields, nonEmpty } from '../../shared/parameters/enteredFields';
import { InvalidInput } from '../../shared/service/invalidInput';

const LABEL = 'What Should Happen';
const NAME = 'whatShouldHappen';

const SHOW: INodePropertyOptions = {
	name: 'Only Show',
	value: 'show',
	description:
		'Nothing is imported: show which column goes into which field, what is cleaned and what looks wrong',
};
const IMPORT: INodePropertyOptions = {
	name: 'Import',
	value: 'import',
	description: 'Import the rows and return the outcome of each',
};

/** @param ways other choices, between showing and importing */
export function whatShouldHappenField(ways: readonly INodePropertyOptions[]): INodeProperties {
	return {
		displayName: LABEL,
		name: NAME,
		type: 'options',
		options: [SHOW, ...ways, IMPORT],
		default: 'show',
		builderHint: {
			propertyHint: 'Begin with "show", which never writes; set "import" to import the rows',
		},
		description: 'Whether to import the rows or only to show what would be imported',
	};
}

/** What the user chose; only to show it, if an expression says nothing. */
export function happens(parameters: Fields): unknown {
	return nonEmpty(parameters.value(NAME)) ?? SHOW.value;
}

/** Throws InvalidInput for an expression that gives something else. */
export function checkWhatShouldHappen(
	{ parameters }: Pick<NodeContext, 'parameters'>,
	ways: readonly INodePropertyOptions[],
): void {
	const value = happens(parameters);
	const known = [SHOW, ...ways, IMPORT];
	if (known.some((way) => way.value === value)) return;
	const names = known.map((way) => way.value).join(', ');
	const text = `"${String(value)}" is not one of ${names}.`;
	throw new InvalidInput([{ field: LABEL, text }]);
}

export function isOnlyShown({ parameters }: Pick<NodeContext, 'parameters'>): boolean {
	return happens(parameters) === SHOW.value;
}
