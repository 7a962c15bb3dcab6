import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../../shared/runtime/environment.ts";

describe("readEnvironment", () => {
  it("reads the variables named and no others", () => {
    const given = { TABLE_NAME: "table", BUCKET_NAME: "bucket", RATE_LIMIT_API_KEY: "600" };
    expect(readEnvironment(["TABLE_NAME", "LOG_LEVEL", "RATE_LIMIT_API_KEY"], given)).toEqual({
      TABLE_NAME: "table",
      LOG_LEVEL: "info",
      RATE_LIMIT_API_KEY: 600,
    });
  });

  it.each([
    ["JWT_JWKS_URL", "https://identity.test/jwks.json", "wss://identity.test/jwks.json"],
    ["WEBSOCKET_CALLBACK_URL", "http://127.0.0.1:8080/live", "127.0.0.1:8080/live"],
    ["WEBSOCKET_URL", "wss://socket.test/live", "https://socket.test/live"],
    ["LOG_LEVEL", "warn", "loud"],
    ["RATE_LIMIT_API_KEY", "0", "1.5"],
    ["KEY_CONNECTIONS_MAX", "1", "0"],
    ["PING_SECONDS", "60", "1.5"],
    ["TABLE_NAME", "table", ""],
  ] as const)("takes a %s such as %s and not %j", (name, good, bad) => {
    expect(readEnvironment([name], { [name]: good })).toEqual({
      [name]: /^\d+$/.test(good) ? Number(good) : good,
    });
    expect(() => readEnvironment([name], { [name]: bad })).toThrow(`malformed: ${name}`);
  });

  it("names everything that is missing or malformed, and no value", () => {
    const given = { JWT_JWKS_URL: "s3cret", RATE_LIMIT_API_KEY: "-1", TABLE_NAME: "t" };
    const read = () =>
      readEnvironment(["TABLE_NAME", "BUCKET_NAME", "JWT_JWKS_URL", "RATE_LIMIT_API_KEY"], given);
    expect(read).toThrow("missing or malformed: BUCKET_NAME, JWT_JWKS_URL, RATE_LIMIT_API_KEY");
    expect(read).not.toThrow("s3cret");
  });
});
