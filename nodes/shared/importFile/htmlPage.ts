import { escape as escapeHtml } from 'lodash';

/** The style of every page: any screen width, light and dark, and paper. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --page: #ffffff;
	--imported: #1a7f4b; --failed: #c62b34; --missing: #b7791f; --invalid: #8a4fbf; --duplicate: #2f8a8a; --unchanged: #a3adb9; --notSent: #5b6675; --unknown: #1f6fb2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa5b4; --line: #343c47; --page: #14181e;
	--imported: #3fb37a; --failed: #f0636b; --missing: #e0a94e; --invalid: #b98be6; --duplicate: #58b5b5; --unchanged: #4d5866; --notSent: #9aa5b4; --unknown: #5fa9e6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
.about, .legend span { color: var(--soft); }
.about { margin: .25rem 0 1rem; }
.lead { margin: 0 0 .5rem; font-size: 1.2rem; }
.bar { display: block; width: 100%; height: 2rem; border-radius: .4rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0 0; padding: 0; list-style: none; }
.dot { width: .7rem; height: .7rem; margin-right: .45rem; }
.imported { fill: var(--imported); } .failed { fill: var(--failed); } .missing { fill: var(--missing); }
.invalid { fill: var(--invalid); } .duplicate { fill: var(--duplicate); } .unchanged { fill: var(--unchanged); } .notSent { fill: var(--notSent); } .unknown { fill: var(--unknown); }
ul { padding-left: 1.2rem; margin: .5rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .95rem; }
.whole { white-space: nowrap; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; overflow-wrap: normal; }
form td:not(.name) { min-width: 9rem; }
.wrong { margin: .25rem 0 0; color: var(--failed); font-size: .875rem; }
input, button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: .3rem; padding: .4rem .5rem; }
input { width: 100%; min-width: 0; }
input[aria-invalid] { border-color: var(--failed); }
button { padding: .6rem 1.1rem; cursor: pointer; }
button[value=import] { color: var(--page); background: var(--ink); }
.answer label { display: block; margin: 1.5rem 0 .25rem; color: var(--soft); }
.answer input { max-width: 24rem; }
.name { width: 7rem; }
h3 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
.buttons { position: sticky; bottom: 0; padding: .75rem 0; background: var(--page); }
summary { margin: 1rem 0 .25rem; cursor: pointer; font-weight: 600; }
a { color: inherit; }
.number { width: 5rem; text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
mark { padding: 0 .2rem; border: 1px solid var(--failed); border-radius: .2rem; background: none; color: inherit; }
@media screen and (min-width: 40rem) { .cards td { max-width: 18rem; overflow-wrap: break-word; } }
@media (max-width: 40rem) {
	.cards thead { display: none; }
	.cards tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
	.cards td { display: flex; gap: .75rem; padding: .1rem 0; border: 0; }
	.cards td::before { content: attr(data-label); flex: 0 0 6rem; color: var(--soft); }
	.cards td:empty { display: none; }
	.cards td:not([data-label])::before { content: none; }
	.cards td:not([data-label]) { display: block; }
	.cards td > div { flex: 1; min-width: 0; }
}
@media print {
	:root { --ink: #000000; --soft: #444444; --line: #bbbbbb; --page: #ffffff; }
	body { font-size: 11pt; }
	svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
	thead { display: table-header-group; }
	.buttons, .answer, .download { display: none; }
	details::details-content { content-visibility: visible; block-size: auto; }
	tr, h2 { break-inside: avoid; break-after: auto; }
}
`;

/** Content security policy of a page that loads nothing and runs no script. */
export const STYLED_PAGE = "default-src 'none'; style-src 'unsafe-inline'";

/** A value as text of a page, cut after `most` characters. */
export function escape(value: unknown, most = Infinity): string {
	const isText = typeof value !== 'object' || value === null;
	const text = isText ? String(value) : JSON.stringify(value);
	return escapeHtml(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** Phone numbers and dates, which browsers would break at their hyphens; not what follows in an address. */
const NUMBER = /(?<![\w#&/.])\+?\d[\d().-]{5,18}\d(?!\w)/g;

/** The same, with numbers in one piece: not for an attribute. */
export function escapeCell(value: unknown, most?: number): string {
	return escape(value, most).replaceAll(NUMBER, '<span class="whole">$&</span>');
}

export function formatCount(count: number): string {
	return count.toLocaleString('en-US');
}

interface PageParts {
	head?: string;
	attributes?: string;
	script?: string;
}

/** A self-contained page; the attributes are those of `<main>`. */
export function htmlPage(
	title: string,
	content: string,
	{ head = '', attributes = '', script }: PageParts,
): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body><main${attributes}>
${content}
</main>${script === undefined ? '' : `<script>${script}</script>`}</body>
</html>
`;
}
