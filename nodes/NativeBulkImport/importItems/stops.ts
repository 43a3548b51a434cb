import { isEqual } from 'lodash';

import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
import { rethrow } from '../../shared/transport/rethrow';

/** What stops an import. Where people are shown the import first, nothing does: what would is shown. */
export class Stops {
	private readonly all: Problem[] = [];

	constructor(private readonly areShown = false) {}

	/** What would stop the import. */
	get shown(): readonly Problem[] {
		return this.all;
	}

	/** Throws InvalidInput if these problems are not only shown. */
	add(problems: readonly Problem[]): void {
		if (!this.areShown) throwIfAny(problems);
		for (const problem of problems)
			if (!this.all.some((known) => isEqual(known, problem))) this.all.push(problem);
	}

	/**
	 * Makes a check, which throws InvalidInput if the import is not to be sent.
	 * @returns undefined if that is only shown
	 */
	async at<T>(check: () => T): Promise<Awaited<T> | undefined> {
		try {
			return await check();
		} catch (error) {
			if (!(error instanceof InvalidInput)) return rethrow(error);
			this.add(error.problems);
			return undefined;
		}
	}

	/** Throws InvalidInput if there is any, whatever was shown: before anything is sent. */
	refuse(): void {
		throwIfAny(this.all);
	}
}
