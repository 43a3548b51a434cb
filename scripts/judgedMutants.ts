import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './dependencies.mjs';
import type { TestsByFile } from './mutantEnvironment';
import { repositoryFiles } from './repositoryFiles.mjs';

/** Tests that reach a place, the fastest files first, and how long they take without a change. */
export interface Reaching {
	tests: TestsByFile;
	ms: number;
}

const FOLDER = join(root, 'node_modules/.cache/mutants');

/** @param except a file that is written while the tree is judged */
function treeOf(except: string): string {
	const hash = createHash('sha256');
	for (const file of repositoryFiles().toSorted())
		if (join(root, file) !== except)
			hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
	return hash.digest('hex');
}

function readJson(file: string): unknown {
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** What is known of the places of an unchanged tree, so that a command that was ended goes on from there. */
export class JudgedMutants {
	/** By ID: whether a test noticed it. */
	private readonly judged: Record<string, boolean>;
	private readonly file: (name: string) => string;

	/** @param except a file that is written while the tree is judged */
	constructor(ids: readonly string[], except: string) {
		const places = createHash('sha256').update(ids.join()).digest('hex').slice(0, 12);
		const folder = join(FOLDER, places);
		this.file = (name) => join(folder, name);
		const tree = treeOf(except);
		if (readJson(this.file('tree.json')) !== tree) {
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder, { recursive: true });
			writeFileSync(this.file('tree.json'), JSON.stringify(tree));
		}
		this.judged = (readJson(this.file('judged.json')) ?? {}) as Record<string, boolean>;
	}

	/** Undefined if it was not judged by all tests yet. */
	isKilled(id: string): boolean | undefined {
		return this.judged[id];
	}

	set(id: string, isKilled: boolean): void {
		this.judged[id] = isKilled;
		writeFileSync(this.file('judged.json'), JSON.stringify(this.judged));
	}

	/** The tests that reach each place, which takes as long to find out as all tests take. */
	async reaching(find: () => Promise<Record<string, Reaching>>): Promise<Record<string, Reaching>> {
		const known = readJson(this.file('reaching.json')) as Record<string, Reaching> | undefined;
		if (known) return known;
		const found = await find();
		writeFileSync(this.file('reaching.json'), JSON.stringify(found));
		return found;
	}
}
