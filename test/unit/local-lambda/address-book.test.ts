import { describe, expect, it } from "vitest";
import { mapAddresses } from "../../../infra/local/lambda/address-book.ts";

const book = [
  { from: "https://abc.execute-api.us-east-1.amazonaws.com", to: "http://127.0.0.1:1" },
  { from: "https://identity.local/.well-known/", to: "http://127.0.0.1:2/.well-known/" },
];

describe("the address book", () => {
  it("replaces the start of an address and keeps its path", () => {
    expect(mapAddresses(book, "https://abc.execute-api.us-east-1.amazonaws.com/tunnel")).toBe(
      "http://127.0.0.1:1/tunnel",
    );
    expect(mapAddresses(book, "https://abc.execute-api.us-east-1.amazonaws.com")).toBe("http://127.0.0.1:1");
  });

  it("maps where keys are fetched and leaves the issuer, which is a name and no address", () => {
    expect(mapAddresses(book, "https://identity.local/.well-known/jwks.json")).toBe(
      "http://127.0.0.1:2/.well-known/jwks.json",
    );
    expect(mapAddresses(book, "https://identity.local/")).toBe("https://identity.local/");
  });

  it("does not take a longer host name for the one it knows", () => {
    const longer = "https://abc.execute-api.us-east-1.amazonaws.com.example.org/";
    expect(mapAddresses(book, longer)).toBe(longer);
  });
});
