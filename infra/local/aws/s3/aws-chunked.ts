import { AwsError } from "../aws-error.ts";

const lineBytesMax = 8_192;

/**
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 *
 * @throws {AwsError} IncompleteBody or InvalidRequest for a body that is cut short or malformed.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Uint8Array>,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Uint8Array> {
  const reader = new ChunkReader(source);
  for (;;) {
    const header = await reader.line();
    const size = Number.parseInt(header.split(";")[0] ?? "", 16);
    if (!/^[0-9a-fA-F]{1,12}(;|$)/.test(header)) {
      throw new AwsError(400, "InvalidRequest", "a chunk of the body has no size");
    }
    if (size === 0) break;
    yield* reader.bytes(size);
    if ((await reader.line()) !== "")
      throw new AwsError(400, "InvalidRequest", "a chunk does not end in time");
  }
  for (let line = await reader.line(); line !== ""; line = await reader.line()) {
    const cut = line.indexOf(":");
    onTrailer(line.slice(0, cut).trim().toLowerCase(), line.slice(cut + 1).trim());
  }
  await reader.drain();
}

class ChunkReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf("\r\n");
      if (end >= 0) {
        const line = this.#buffered.subarray(0, end).toString("latin1");
        this.#buffered = this.#buffered.subarray(end + 2);
        return line;
      }
      if (this.#buffered.length > lineBytesMax) {
        throw new AwsError(400, "InvalidRequest", "a line of the chunked body is too long");
      }
      await this.#more();
    }
  }

  async *bytes(size: number): AsyncGenerator<Uint8Array> {
    let left = size;
    while (left > 0) {
      if (this.#buffered.length === 0) await this.#more();
      const part = this.#buffered.subarray(0, left);
      this.#buffered = this.#buffered.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done) {
      // Reading the rest makes the connection usable again.
    }
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw new AwsError(400, "IncompleteBody", "the body ends before its last chunk");
    this.#buffered =
      this.#buffered.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.#buffered, next.value]);
  }
}
