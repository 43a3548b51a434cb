/** Lines over time in one coordinate system. */
export interface Panel {
	title: string;
	/** Label of the vertical axis. */
	unit: string;
	/** The highest value on the vertical axis; the lowest is 0. */
	highest: number;
	/** Seconds on the horizontal axis. */
	seconds: number;
	lines: Array<{ name: string; values: number[] }>;
}

/** Of medium brightness, to be distinguishable on light and dark backgrounds. */
const COLOURS = ['#2f81d7', '#d9822b', '#2ca02c', '#c24fb0', '#d64545'];
const INK = '#808080';
const PANEL = { width: 420, height: 210, left: 52, right: 14, top: 34, bottom: 40 };
const LEGEND_HEIGHT = 34;

const at = (value: number): string => value.toFixed(1);

function text(x: number, y: number, content: string, anchor = 'middle', more = ''): string {
	return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}"${more}>${content}</text>`;
}

function panelSvg(panel: Panel, x0: number, y0: number): string[] {
	const { width, height, left, right, top, bottom } = PANEL;
	const x = (second: number): number =>
		x0 + left + ((width - left - right) * second) / panel.seconds;
	const y = (value: number): number =>
		y0 +
		height -
		bottom -
		((height - top - bottom) * Math.min(value, panel.highest)) / panel.highest;
	const rule = (x1: number, y1: number, x2: number, y2: number, opacity: number): string =>
		`<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${INK}" stroke-opacity="${opacity}"/>`;
	const parts = [text(x0 + left, y0 + 20, panel.title, 'start', ' font-weight="bold"')];
	for (let step = 0; step <= 4; step++) {
		const value = (panel.highest * step) / 4;
		parts.push(rule(x(0), y(value), x(panel.seconds), y(value), step === 0 ? 1 : 0.25));
		parts.push(text(x(0) - 6, y(value) + 4, String(Math.round(value)), 'end'));
		const second = (panel.seconds * step) / 4;
		parts.push(text(x(second), y(0) + 16, String(Math.round(second))));
	}
	parts.push(rule(x(0), y(0), x(0), y(panel.highest), 1));
	parts.push(text(x(panel.seconds / 2), y(0) + 32, 'seconds'));
	const middle = y(panel.highest / 2);
	parts.push(
		text(
			x0 + 14,
			middle,
			panel.unit,
			'middle',
			` transform="rotate(-90 ${at(x0 + 14)} ${at(middle)})"`,
		),
	);
	panel.lines.forEach(({ values }, line) => {
		const points = values.map((value, second) => `${at(x(second + 0.5))},${at(y(value))}`);
		parts.push(
			`<polyline fill="none" stroke="${COLOURS[line % COLOURS.length]}" stroke-width="1.5" stroke-linejoin="round" points="${points.join(' ')}"/>`,
		);
	});
	return parts;
}

/** Panels in rows, under one legend for the lines of all. */
export function plot(rows: Panel[][], description: string): string {
	const columns = Math.max(...rows.map((row) => row.length));
	const width = columns * PANEL.width;
	const height = LEGEND_HEIGHT + rows.length * PANEL.height;
	const names = rows[0]?.[0]?.lines.map(({ name }) => name) ?? [];
	const parts = names.flatMap((name, line) => {
		const x = PANEL.left + line * 130;
		return [
			`<line x1="${x}" y1="18" x2="${x + 24}" y2="18" stroke="${COLOURS[line % COLOURS.length]}" stroke-width="3"/>`,
			text(x + 30, 22, name, 'start'),
		];
	});
	rows.forEach((row, y) =>
		row.forEach((panel, x) => {
			parts.push(...panelSvg(panel, x * PANEL.width, LEGEND_HEIGHT + y * PANEL.height));
		}),
	);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">`,
		`<title>${description}</title>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}
