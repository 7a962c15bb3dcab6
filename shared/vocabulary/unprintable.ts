/** Line separators, and every mark and override of a text's direction (Unicode's Bidi_Control). */
export const separatorsAndMarks = String.raw`\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`;

/**
 * Inside of a name, these and control characters change what a page or a terminal shows around it. The text is part of a
 * character class with the flag `u`.
 */
export const unprintable = String.raw`\p{Cc}${separatorsAndMarks}`;

/** Neither does a file's name hold these. */
export const notInFileNames = String.raw`/\\${unprintable}`;
