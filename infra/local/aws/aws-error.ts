export interface AwsErrorExtra {
  readonly fields?: Readonly<Record<string, unknown>>;
}

export class AwsError extends Error {
  override readonly name = "AwsError";
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: AwsErrorExtra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = extra.fields ?? {};
  }
}

/** An operation left out is refused by name, so that nothing seems to work that was never tried. */
export function notImplemented(what: string): AwsError {
  return new AwsError(501, "NotImplemented", `the local AWS stand-in does not implement ${what}`);
}
