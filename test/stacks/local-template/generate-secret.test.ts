import { expect, it } from "vitest";
import { generateSecretString } from "../../../infra/local/template/generate-secret.ts";

it("takes 32 characters with one of each kind, as Secrets Manager does by default", () => {
  const made = generateSecretString({});
  expect(made).toHaveLength(32);
  for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9 ]/]) expect(made).toMatch(kind);
});

it("leaves out what is excluded", () => {
  const made = generateSecretString({
    PasswordLength: 200,
    ExcludePunctuation: true,
    ExcludeCharacters: "abc123",
  });
  expect(made).toMatch(/^[d-zA-Z04-9]{200}$/);
});

it("puts it under the key of the template", () => {
  const made: unknown = JSON.parse(
    generateSecretString({
      SecretStringTemplate: '{"user":"me"}',
      GenerateStringKey: "password",
      PasswordLength: 8,
    }),
  );
  expect(made).toEqual({ user: "me", password: expect.stringMatching(/^.{8}$/) });
});

it("makes another one each time", () => {
  expect(generateSecretString({})).not.toBe(generateSecretString({}));
});
