import { fileOptions } from './file';
import { listOptions } from './list';
import { outputOptions } from './output';
import { safetyOptions } from './safety';
import type { StoryOption } from './storyOption';
import { waitingOptions } from './waiting';
import { worldOptions } from './world';

/** All that stories choose, in the order in which it takes effect. */
export const OPTIONS: readonly StoryOption[] = [
	...listOptions,
	...safetyOptions,
	...worldOptions,
	...waitingOptions,
	...fileOptions,
	...outputOptions,
];

/** Whether a choice is possible together with that of another option. */
export function goTogether(one: [string, string], other: [string, string]): boolean {
	const allows = ([name, choice]: [string, string], [needed, held]: [string, string]): boolean => {
		const allowed = OPTIONS.find((option) => option.name === name)?.needs?.[choice]?.[needed];
		return allowed === undefined || allowed.includes(held);
	};
	return allows(one, other) && allows(other, one);
}
