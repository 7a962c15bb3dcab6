import * as z from "zod";
import { defineOperations } from "./operation.ts";

const headers = {
  ETag: { description: "Changes with the content; send it back as `If-None-Match` for a 304." },
  "Cache-Control": { description: "The time for which the response may be cached." },
} as const;
const common = { access: "public", method: "GET" } as const;
const unchanged = { description: "The file is still what `If-None-Match` names.", headers } as const;

const page = {
  ...common,
  summary: "Shows the console as a page",
  description: "The page for people is the same at each of its addresses, which it reads itself. Public.",
  responses: {
    200: { description: "The page.", contentType: "text/html", headers },
    304: unchanged,
  },
} as const;

const section = z.string().describe("The section of the console, such as `machines`.");
const item = z.string().describe("The thing that the section shows, such as a machine by its id.");

export const consoleOperations = defineOperations("Console", [
  { ...page, id: "getConsole", path: "/console" },
  {
    ...page,
    id: "getConsoleSection",
    path: "/console/{section}",
    pathParameters: z.strictObject({ section }),
  },
  {
    ...page,
    id: "getConsoleItem",
    path: "/console/{section}/{item}",
    pathParameters: z.strictObject({ section, item }),
  },
  {
    ...common,
    id: "getConsoleAsset",
    path: "/console/assets/{file}",
    summary: "Reads a file of the console",
    description: "The name changes with the content, so that the file is cached for a year. Public.",
    pathParameters: z.strictObject({
      file: z.string().describe("The name of the file, as the page has it."),
    }),
    responses: {
      // Scripts and styles.
      200: { description: "The file.", contentType: "text/javascript", headers },
      304: unchanged,
    },
    refusals: { 404: "There is no such file in this release." },
  },
]);
