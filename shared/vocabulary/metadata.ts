export const metadataPairsMax = 20;
export const metadataKeyCharactersMax = 40;
export const metadataValueCharactersMax = 200;
