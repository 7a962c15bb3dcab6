import { describe, expect, it } from "vitest";
import { errorCodes as wireCodes } from "../../../shared/contract/error-codes.ts";
import { DomainError, errorCodes } from "../../../shared/domain/errors.ts";
import { statusOf } from "../../../shared/http/errors/error-statuses.ts";

describe("the contract's error codes", () => {
  it.each(errorCodes)("%s is among them, with the status that it is answered with", (code) => {
    expect(wireCodes[code]?.status).toBe(statusOf(new DomainError(code, "a refusal")));
  });
});
