/**
 * Control characters, line separators and marks of direction: inside of a name they change what a page or a terminal shows
 * around it. The text is part of a character class with the flag `u`.
 */
export const unprintable = String.raw`\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069`;

/** Neither does a file's name hold these. */
export const notInFileNames = String.raw`/\\${unprintable}`;
