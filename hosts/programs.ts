import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The folders in which a program is looked for that is called by its name alone. */
export function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Where a program is; undefined if none of the folders has it. */
export function programIn(folders: readonly string[], program: string): string | undefined {
	return folders
		.map((folder) => join(folder, program))
		.find((path) => {
			try {
				accessSync(path, constants.X_OK);
				return true;
			} catch {
				return false;
			}
		});
}

/** @returns an error that says what to install */
export function missingProgram(what: string, packages: string): Error {
	return new Error(
		`${what} must be installed. On Debian and Ubuntu: sudo apt-get install ${packages}`,
	);
}
