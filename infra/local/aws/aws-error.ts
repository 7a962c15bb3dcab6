export interface AwsErrorExtra {
  /** Further fields of the error's body, e.g. CancellationReasons. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An error as AWS returns it; each protocol writes it in its own form. */
export class AwsError extends Error {
  override readonly name = "AwsError";
  /** HTTP status. */
  readonly status: number;
  /** The error's code, e.g. `ResourceNotFoundException` or S3's `NoSuchKey`. */
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: AwsErrorExtra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = extra.fields ?? {};
  }
}

/** An operation that the stand-in leaves out is refused by name, so that nothing seems to work that was never tried. */
export function notImplemented(what: string): AwsError {
  return new AwsError(501, "NotImplemented", `the local AWS stand-in does not implement ${what}`);
}
