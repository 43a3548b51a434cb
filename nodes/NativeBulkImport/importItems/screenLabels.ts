/** Labels of Import Items for messages. */
export const IMPORT_LABEL = 'Import';
export const MAPPING_TYPES_LABEL = 'What to Do With Each Row';
