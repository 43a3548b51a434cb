import { InvalidInput } from '../shared/service/invalidInput';
import { isMatchable, missingForMatch, type Person } from '../shared/service/person';

/** Throws InvalidInput naming what the service needs to match the person. */
export function throwIfUnmatchable(person: Person): void {
	if (isMatchable(person)) return;
	throw new InvalidInput([
		{
			field: 'Person',
			text: `does not have enough data to match. Add ${missingForMatch(person)}. Or turn off the option "Require Matchable Person".`,
		},
	]);
}
