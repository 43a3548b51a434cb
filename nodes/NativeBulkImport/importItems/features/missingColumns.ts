import type { INodeProperties } from 'n8n-workflow';

import type { ImportFeature } from '../feature';

const LABEL = 'Allow Missing Columns';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'allowMissingColumns',
	type: 'boolean',
	default: false,
	description:
		'Whether a field may be mapped to a property that no row has. It is then blank, and the service leaves it as it is.',
};

export const missingColumns: ImportFeature = {
	options: [option],
	of: ({ parameters, sends }) =>
		sends
			? {
					ifMissing: {
						areAllowed: parameters.in('options').flag('allowMissingColumns'),
						advice: `If it may be missing, turn on the option ${LABEL}.`,
					},
				}
			: undefined,
};
