import {
  AttachmentList,
  AttachmentsQuery,
  CreateAttachmentBody,
  CreatedAttachment,
  DownloadUrl,
  DownloadUrlQuery,
  RunAttachment,
  UpdateAttachmentBody,
} from "../run/run-attachment.ts";
import { defineOperations, deleted, largeBodyBytesMax, reading, writing } from "./operation.ts";

export const runAttachmentOperations = defineOperations("Run attachments", [
  {
    ...reading,
    id: "listRunAttachments",
    path: "/v1/run-attachments",
    summary: "Lists the files of runs",
    description:
      "The list is sorted newest first. An attachment that has expired is left out; the total counts it for up to a minute more.",
    query: AttachmentsQuery,
    responses: { 200: { description: "A page, with the total.", schema: AttachmentList } },
  },
  {
    ...writing("POST"),
    id: "createRunAttachment",
    writes: "attachment",
    path: "/v1/run-attachments",
    summary: "Attaches a file to a run",
    description:
      "`content` takes up to 4 MB. Without it the response carries `upload`, a presigned PUT for up to 100 MB, made anew for a repeat; `size_bytes` is required then, and no other size is taken. An attachment whose file is not there a day later is deleted. PUT it with `headers`: a file cannot be replaced, so a PUT sent again is 412, which says that it is there. An `input` becomes one of the run's `input_attachment_ids`: the service puts it on the desktop before the first action, at its `target_path`. It is taken while the run waits, or has ended and may be retried; a run that begins meanwhile waits for its upload for 15 minutes after this request.",
    body: CreateAttachmentBody,
    bodyBytesMax: largeBodyBytesMax,
    example: {
      run_id: "01890a5d-ac96-774b-bcce-b302099a8057",
      attachment_type: "output",
      filename: "report.txt",
      content: "aGVsbG8=",
      content_type: "text/plain",
    },
    responses: { 201: { description: "The attachment.", schema: CreatedAttachment } },
    refusals: {
      404: "The run is not there.",
      409: "`run_already_running`: the service carries the run out at the moment, so that it takes no more input; `limit_reached`: the run has 100 inputs.",
    },
  },
  {
    ...reading,
    id: "getRunAttachment",
    path: "/v1/run-attachments/{attachment_id}",
    summary: "Reads one attachment",
    responses: { 200: { description: "The attachment.", schema: RunAttachment } },
  },
  {
    ...writing("PUT"),
    id: "updateRunAttachment",
    writes: "attachment",
    path: "/v1/run-attachments/{attachment_id}",
    summary: "Sets when an attachment expires",
    description: "Nothing else about it can change. It is hidden from then on, and its file deleted.",
    body: UpdateAttachmentBody,
    example: { expires_at: "2030-01-01T00:00:00Z" },
    responses: { 200: { description: "The attachment.", schema: RunAttachment } },
  },
  {
    ...writing("DELETE"),
    id: "deleteRunAttachment",
    writes: "attachment",
    path: "/v1/run-attachments/{attachment_id}",
    summary: "Deletes an attachment and its file",
    responses: deleted,
  },
  {
    ...reading,
    id: "downloadRunAttachment",
    path: "/v1/run-attachments/{attachment_id}/download",
    summary: "Downloads the file",
    responses: {
      200: { description: "Its bytes, up to 4 MB.", contentType: "*/*" },
      307: { description: "The picture is larger: `Location` is a presigned URL." },
    },
    refusals: { 404: "The attachment is not there, or nothing has been uploaded yet." },
  },
  {
    ...reading,
    id: "getRunAttachmentDownloadUrl",
    path: "/v1/run-attachments/{attachment_id}/download-url",
    summary: "Creates a link to the file",
    query: DownloadUrlQuery,
    responses: {
      200: { description: "A presigned URL and how long it is good, in seconds.", schema: DownloadUrl },
    },
    refusals: { 404: "The attachment is not there, or nothing has been uploaded yet." },
  },
]);
