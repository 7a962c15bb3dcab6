import type { FormSchema } from "../../parts/form/schema-fields.ts";

/** The bounds are the API's to check: its sentence names the field. */
export const poolForm: FormSchema = {
  required: ["name"],
  properties: {
    name: { type: "string", title: "Name", maxLength: 255 },
    description: { type: "string", title: "Description", description: "Its purpose, for people." },
    pool_parameters: {
      type: "object",
      title: "Inputs",
      description: "JSON: what the runs that name the pool get, by name.",
    },
    pool_sensitive_parameters: {
      type: "object",
      title: "Secret inputs",
      description: "JSON: values by alias. They replace those that are there, and are never shown again.",
    },
  },
};
