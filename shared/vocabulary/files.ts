/** Objects under these prefixes belong to an entity and are removed with it. They are in key order. */
export const keptPrefixes = ["attachments/", "spill/"] as const;
export type KeptPrefix = (typeof keptPrefixes)[number];

export const attachmentTypes = ["input", "output"] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

/** Files inside of one request, before base64. */
export const filesBytesMax = 4_194_304;

/** The kind of entity that names the secret, and with which it is removed. */
export const secretKinds = ["machine", "pool", "provider", "webhook"] as const;
export type SecretKind = (typeof secretKinds)[number];

export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof imageTypes)[number];

export const promptImageBytesMax = 4_194_304;

/**
 * The bound of inputs as sent, and after merging and resolving. It is also the limit of one secret.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
export const inputBytesMax = 65_536;

/** The forms that a shipped file is sent in, the smallest first. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];
