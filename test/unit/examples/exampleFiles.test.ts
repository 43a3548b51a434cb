import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { readWorkflowFile } from '../../../hosts/n8nClient';

const folder = join(__dirname, '..', '..', '..', 'examples');
const examples = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((file) => ({ file, workflow: readWorkflowFile(join(folder, file)) }));
const filesWithData = [
	...examples.map(({ file }) => file),
	...readdirSync(join(folder, 'data')).map((file) => join('data', file)),
];

const settingsSchema = z.object({
	assignments: z
		.object({ assignments: z.array(z.object({ name: z.string() }).passthrough()) })
		.optional(),
});

/** All texts in parameters, apart from what a node remembers of the service in the field "schema". */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => (key === 'schema' ? [] : textsIn(inner)));
}

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const NODE_SIZE = 100;
const AGENT_WIDTH = 230;
/** Name and operation below a node: two lines. */
const LABEL_HEIGHT = 45;
const LABEL_WIDTH_OF_LETTER = 8;

/** What a node covers on the canvas, with its label. */
function boxOf({
	name,
	type,
	position: [left, top],
	parameters,
}: (typeof examples)[number]['workflow']['nodes'][number]): Box {
	if (type.endsWith('.stickyNote')) {
		const { width, height } = parameters;
		return { name, left, top, right: left + Number(width), bottom: top + Number(height) };
	}
	const width = type.endsWith('.agent') ? AGENT_WIDTH : NODE_SIZE;
	const overhang = Math.max(0, (name.length * LABEL_WIDTH_OF_LETTER - width) / 2);
	return {
		name,
		left: left - overhang,
		top,
		right: left + width + overhang,
		bottom: top + NODE_SIZE + LABEL_HEIGHT,
	};
}

type Point = readonly [x: number, y: number];

/** Wires from left to right; n8n draws those that lead back around the nodes. */
function wiresOf({
	nodes,
	connections,
}: (typeof examples)[number]['workflow']): Array<[Point, Point]> {
	const placeOf = new Map(nodes.map(({ name, position }) => [name, position]));
	return Object.entries(connections).flatMap(([from, { main = [] }]) =>
		main.flatMap((targets, output) =>
			(targets ?? []).flatMap(({ node, index }): Array<[Point, Point]> => {
				const start = placeOf.get(from);
				const end = placeOf.get(node);
				if (!start || !end || end[0] <= start[0]) return [];
				const inputs = Object.values(connections)
					.flatMap(({ main: others = [] }) => others.flat())
					.filter((other) => other?.node === node);
				const height = (position: number, count: number) =>
					((position + 1) * NODE_SIZE) / (count + 1);
				return [
					[
						[start[0] + NODE_SIZE, start[1] + height(output, main.length)],
						[
							end[0],
							end[1] + height(index, Math.max(1, ...inputs.map((each) => (each?.index ?? 0) + 1))),
						],
					],
				];
			}),
		),
	);
}

/** Whether two wires cross between their ends. */
function cross([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean {
	const side = (p: Point, q: Point, r: Point) =>
		Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
	return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** The height that n8n needs for a note: lines of text, headings and the space around. */
function heightOfNote(content: string, width: number): number {
	const lettersOfLine = (width - 30) / 6.6;
	return content.split('\n').reduce((height, line) => {
		const text = line.replace(/[*_`#]/g, '').trim();
		const lines = Math.max(1, Math.ceil(text.length / lettersOfLine));
		return height + (line.startsWith('#') ? lines * 32 : lines * 20);
	}, 20);
}

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(examples)('example $file', ({ workflow }) => {
	const { nodes } = workflow;

	it('uploads to an address of its own in every run', () => {
		const fields = settingsSchema.safeParse(
			nodes.find(({ name }) => name === 'Settings')?.parameters,
		);
		const shared = (fields.data?.assignments?.assignments ?? []).filter(
			({ name, value }) =>
				(name === 'uploadUrl' || name === 'sftpPath') &&
				!/\{file\}|\$execution\.id/.test(String(value)),
		);
		expect(shared).toEqual([]);
		const nodesOfFiles = nodes.filter(({ parameters }) =>
			/^(put|post)$/.test(String(parameters.hosting)),
		);
		for (const { parameters } of nodesOfFiles)
			expect(parameters.uploadUrl).toBe("={{ $('Settings').first().json.uploadUrl }}");
	});

	it('covers no node or note with another', () => {
		const boxes = nodes.map(boxOf);
		const covered = boxes.flatMap((box, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => overlap(box, other))
				.map((other) => `${box.name} and ${other.name}`),
		);
		expect(covered).toEqual([]);
	});

	it('crosses no wires', () => {
		const wires = wiresOf(workflow);
		const crossing = wires.filter((wire, index) =>
			wires.slice(index + 1).some((other) => cross(wire, other)),
		);
		expect(crossing).toEqual([]);
	});

	it('has room for the text of each note', () => {
		const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		const tight = notes.flatMap(({ name, parameters: { content, width, height } }) => {
			const needed = Math.round(heightOfNote(String(content), Number(width)));
			return needed > Number(height) ? [`${name}: ${Number(height)} of ${needed}`] : [];
		});
		expect(tight).toEqual([]);
	});

	it('uses nodes that n8n still offers', () => {
		const hidden = ['n8n-nodes-base.spreadsheetFile', 'n8n-nodes-base.readBinaryFile'];
		expect(nodes.filter(({ type }) => hidden.includes(type))).toEqual([]);
	});

	it('reads files of spreadsheet programs, which begin with a byte-order mark', () => {
		const readers = nodes.filter(
			({ type, parameters }) =>
				type === 'n8n-nodes-base.extractFromFile' && (parameters.operation ?? 'csv') === 'csv',
		);
		expect(readers.map(({ parameters }) => parameters.options)).toEqual(
			readers.map(() => expect.objectContaining({ enableBOM: true }) as unknown),
		);
	});

	it('explains each of its settings', () => {
		const named = (name: string) => nodes.find((node) => node.name === name);
		const note = String(named('About Settings')?.parameters.content);
		const assignments = settingsSchema.parse(named('Settings')?.parameters ?? {}).assignments;
		const names = assignments?.assignments.map(({ name }) => name) ?? [];
		expect(names.filter((name) => !note.includes(`\`${name}\``))).toEqual([]);
	});

	it('holds numbers of the service in its settings only, where they can be found', () => {
		const fixed = nodes
			.filter(({ type }) => type.startsWith('n8n-nodes-native.'))
			.flatMap(({ name, parameters }) =>
				textsIn(parameters)
					.filter((text) => /^\d+$/.test(text))
					.map((text) => `${name}: ${text}`),
			);
		expect(fixed).toEqual([]);
	});

	it('explains itself, and holds no ID of a credential', () => {
		expect(nodes.map(({ name }) => name)).toContain('About This');
		expect(
			nodes.flatMap(({ credentials }) => Object.values(credentials ?? {})).map(({ id }) => id),
		).toEqual(nodes.filter(({ credentials }) => credentials).map(() => ''));
	});
});

it.each(filesWithData)('%s names example addresses and numbers only', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const addresses = text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
	expect(addresses.filter((address) => !/[@.]example\.org$/.test(address))).toEqual([]);
	const hosts = [...text.matchAll(/https?:\/\/([^/"\s]+)/g)].map(([, host]) => host ?? '');
	expect(hosts.filter((host) => !/(^|\.)example\.org$/.test(host))).toEqual([]);
	const phones = text.match(/\d{3}-\d{3}-\d{4}/g) ?? [];
	// Rows that are to be rejected have numbers that no exchange has: those begin with 2 and up.
	expect(phones.filter((phone) => !/-(555-01\d\d|[01]\d\d-\d{4})$/.test(phone))).toEqual([]);
});

it('offers every example for Import from URL', () => {
	const { homepage } = z
		.object({ homepage: z.string() })
		.parse(JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')));
	const raw = homepage.replace('https://github.com/', 'https://raw.githubusercontent.com/');
	const readme = readFileSync(join(folder, 'README.md'), 'utf8');
	const links = readme.match(/https:\/\/raw\.\S+/g) ?? [];
	expect(links).toEqual(examples.map(({ file }) => `${raw}/main/examples/${file}`));
});
