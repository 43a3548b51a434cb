import type { Locator } from 'playwright-core';

interface ShownIcon {
	source: string;
	/** How far the lighter of icon and background outshines the darker: 1 (not at all) to 21, as of WCAG. */
	contrast: number;
}

/** Red, green, blue and opacity of pixels, each 0 to 255. */
type Pixels = number[];

/** The pixels of a browser canvas after drawing the icon, and after drawing its background. */
interface Drawn {
	source: string;
	icon: Pixels;
	behind: Pixels;
}

/** Luminance as WCAG defines it: 0 (black) to 1 (white). */
function luminance(rgb: readonly number[]): number {
	const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Over the pixels that are not transparent. */
function meanLuminance(pixels: Pixels): number {
	const opaque: number[] = [];
	for (let at = 0; at < pixels.length; at += 4) {
		if ((pixels[at + 3] ?? 0) > 127) opaque.push(luminance(pixels.slice(at, at + 3)));
	}
	return opaque.reduce((sum, value) => sum + value, 0) / Math.max(1, opaque.length);
}

export async function iconOn(node: Locator): Promise<ShownIcon> {
	const image = node.locator('img').first();
	await image.waitFor();
	const { source, icon, behind } = await image.evaluate(async (element): Promise<Drawn> => {
		await element.decode();
		const size = 64;
		const canvas = element.ownerDocument.createElement('canvas');
		canvas.width = canvas.height = size;
		const context = canvas.getContext('2d', { willReadFrequently: true });
		context.drawImage(element, 0, 0, size, size);
		const drawn = [...context.getImageData(0, 0, size, size).data];
		let background = [0, 0, 0, 0];
		for (let around = element; around && background[3] === 0; around = around.parentElement) {
			context.clearRect(0, 0, size, size);
			// The canvas reads every notation of a colour, such as color-mix().
			context.fillStyle = around.ownerDocument.defaultView.getComputedStyle(around).backgroundColor;
			context.fillRect(0, 0, size, size);
			background = [...context.getImageData(0, 0, 1, 1).data];
		}
		return { source: element.src, icon: drawn, behind: background };
	});
	const shades = [meanLuminance(icon), meanLuminance(behind)];
	return { source, contrast: (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05) };
}
