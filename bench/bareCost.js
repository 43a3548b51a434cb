/** Writes and deflates rows in plain Node, and prints the milliseconds: `node bareCost.js <rows>`. */
const { promisify } = require('node:util');
const { deflateRaw } = require('node:zlib');
const { contactRow } = require('./contactRows');

const deflated = promisify(deflateRaw);

async function main() {
	const rows = Array.from({ length: Number(process.argv[2]) }, (_, index) => contactRow(index));
	const times = [];
	for (let run = 0; run < 3; run++) {
		const start = performance.now();
		const lines = [Object.keys(contactRow(0)).join(',')];
		for (const row of rows) lines.push(Object.values(row).join(','));
		await deflated(Buffer.from(`${lines.join('\r\n')}\r\n`));
		times.push(performance.now() - start);
	}
	console.log(JSON.stringify(times));
}

void main();
