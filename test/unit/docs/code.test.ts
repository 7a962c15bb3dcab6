import { expect, it } from "vitest";
import { codeParts } from "../../../infra/docs-pages/code/code-parts.ts";
import { curlSample } from "../../../infra/docs-pages/code/curl-sample.ts";

const call = {
  method: "POST",
  template: "/v1/machines/{machine_id}",
  isPublic: false,
  takesIdempotencyKey: true,
  returns: "json",
} as const;

it("a sample for the shell takes each value as it is, and a fresh Idempotency-Key each time", () => {
  const sample = curlSample(
    { ...call, path: { machine_id: "a/b" }, query: { name: "it's $HOME" }, body: { text: "it's `id`" } },
    "https://api.example.com",
  );
  expect(sample.split(" \\\n  ")).toEqual([
    "curl -sS -X POST 'https://api.example.com/v1/machines/a%2Fb?name=it%27s+%24HOME'",
    '-H "Authorization: Bearer $DAS_API_KEY"',
    '-H "Idempotency-Key: $(uuidgen)"',
    `--json '{\n  "text": "it'\\''s \`id\`"\n}'\n`,
  ]);
});

it("a sample for the shell saves bytes, sends files as a form, and no key to what is public", () => {
  const common = { method: "POST", template: "/x", takesIdempotencyKey: false, isPublic: true } as const;
  const sample = curlSample(
    { ...common, fileField: "file", headers: { "If-Match": '"7"' }, returns: "bytes" },
    "",
  );
  expect(sample).toBe(
    "curl -sS -X POST '/x' \\\n  -H 'If-Match: \"7\"' \\\n  -F 'file=@picture.png;type=image/png' \\\n  -L -o file\n",
  );
});

it("the parts of a code are the whole code, with the kinds of its names, texts, numbers and words", () => {
  const code = 'const a = { b: "c: 1", "d": [-2.5, null] };\nprint(True)  # x-1\ncurl -sS \'e\' --json';
  const parts = codeParts(code);
  expect(parts.map(({ text }) => text).join("")).toBe(code);
  expect(parts.flatMap(({ kind, text }) => (kind === undefined ? [] : [`${kind} ${text}`]))).toEqual([
    "word const",
    "property b",
    'string "c: 1"',
    'property "d"',
    "number -2.5",
    "word null",
    "word print",
    "word True",
    "word curl",
    "word -sS",
    "string 'e'",
    "word --json",
  ]);
});
