/** The published package holds this library itself: see gulpfile.js. */
export { CsvError, parse } from 'csv-parse/sync';
