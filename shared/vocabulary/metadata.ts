export const metadataPairsMax = 20;
export const metadataKeyCharactersMax = 40;
export const metadataValueCharactersMax = 200;

/** An organization's runs are indexed by the values of this many keys: each has one of the table's indexes. */
export const indexedMetadataKeysMax = 5;
