import { DomainError } from "../domain/errors.ts";

/**
 * The largest JSON of a response, in bytes: a Lambda's response has 6 MB at most, envelope and escapes included.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const responseBytesMax = 5_242_880;

/** @throws {DomainError} `answer_too_large`. */
export function boundedResponse<Body>(body: Body, bytesMax = responseBytesMax): Body {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes <= bytesMax) return body;
  throw responseTooLarge(bytes, bytesMax);
}

export function responseTooLarge(bytes: number, bytesMax = responseBytesMax): DomainError {
  return new DomainError(
    "answer_too_large",
    `the response has ${bytes} bytes, at most ${bytesMax} fit; lower limit, or name fewer fields`,
    { details: { bytes, bytes_max: bytesMax } },
  );
}
