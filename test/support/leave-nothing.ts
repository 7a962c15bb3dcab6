import { afterAll, afterEach, expect, vi } from "vitest";

const environment = { ...process.env };
const folder = process.cwd();

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  expect({ environment: process.env, folder: process.cwd() }).toEqual({ environment, folder });
});
