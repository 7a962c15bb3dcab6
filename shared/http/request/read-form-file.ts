import { FileName } from "../../contract/fields/text.ts";
import { InvalidInput, type InvalidItem, valueError } from "../../domain/invalid-input.ts";
import { itemsOfIssues } from "../errors/zod-issue-items.ts";
import type { HttpContext } from "../http-env.ts";
import { requireBodyBytes } from "./parse-json-body.ts";

export interface FormFile {
  readonly filename: string;
  readonly content: Uint8Array;
}

const boundaries = 16_384;

/**
 * Reads the one file that a form has.
 *
 * @throws {InvalidInput} for a body of another type, a form without the file, or with more than it.
 * @throws {DomainError} `payload_too_large`
 */
export async function readFormFile(c: HttpContext, field: string, bytesMax: number): Promise<FormFile> {
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  requireBodyBytes(bytes, bytesMax + boundaries);
  const contentType = c.req.header("content-type") ?? "";
  const form = /^multipart\/form-data\s*;/i.test(contentType) ? await formOf(bytes, contentType) : undefined;
  if (form === undefined) throw new InvalidInput([notAForm]);
  const file = form.get(field);
  const unknown = [...form.keys()].find((name) => name !== field);
  const loc = ["body", field];
  if (file === null) throw new InvalidInput([{ loc, msg: "Field required", type: "missing" }]);
  if (typeof file === "string") throw new InvalidInput([valueError(loc, "it is a text; send a file")]);
  if (unknown !== undefined || form.getAll(field).length > 1) {
    throw new InvalidInput([
      { loc: ["body", unknown ?? field], msg: "Extra inputs are not permitted", type: "extra_forbidden" },
    ]);
  }
  const name = FileName.safeParse(file.name, { reportInput: true });
  const problems = itemsOfIssues("body", name.error?.issues ?? []).map((item) => ({ ...item, loc }));
  if (problems.length > 0) throw new InvalidInput(problems);
  if (file.size > bytesMax) {
    throw new InvalidInput([valueError(loc, `at most ${bytesMax} bytes, not ${file.size}`)]);
  }
  return { filename: file.name, content: new Uint8Array(await file.arrayBuffer()) };
}

const notAForm: InvalidItem = {
  loc: ["header", "content-type"],
  msg: "Input should be 'multipart/form-data', with the form that it says",
  type: "literal_error",
  ctx: { expected: "'multipart/form-data'" },
};

/** Node's parser of forms is loaded with its `fetch`, by the first request that has one. */
async function formOf(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch {
    return undefined;
  }
}
