export const modelWords = {
  useTool: "Nothing was done: use a tool. `finish` ends the task, `fail` gives it up.",
  refused:
    "That reply was refused or filtered, and nothing was done. Go on with the task as far as it may be done, or use `fail` with the reason.",
  cutOff: "That reply was cut off at its largest length, and nothing was done. Be short, and use one tool.",
  done: "Done.",
  unchanged: "Done. The screen looks as before.",
  unknown:
    "Nobody knows whether this was done. The picture shows the screen as it is now: see before you go on.",
  notDone:
    "Not done: something before it failed, or the screen has changed. Decide anew by the last picture.",
  repeated:
    "You have done this again and again, and nothing changes. Do something else, or use `fail` with the reason.",
  outside: (width: number, height: number) =>
    `Not done: the point is outside the picture, which is ${width} x ${height} pixels.`,
  notAllowed: (type: string) => `Not done: there is no tool ${type} for this task.`,
  unreadable: (reason: string) => `Not done: ${reason}.`,
  unknownName: (name: string) =>
    `Not done: there is no value {${name}}. Text in braces names an input or a saved value.`,
  unknownSecret: (name: string) => `Not done: there is no secret {${name}} for this task.`,
  secretElsewhere: (name: string) =>
    `Not done: a secret such as {${name}} can be typed only, with the tool type, into the field that it is for.`,
  nameTaken: (name: string) => `Not done: ${name} names something else already; save it under another name.`,
  zoomed: (x: number, y: number, width: number, height: number) =>
    `The part of ${width} x ${height} pixels at ${x}, ${y} of the last picture, larger. Coordinates are those of the whole picture all the same.`,
  earlierPicture: "(An earlier picture of the screen was here.)",
  imageGone: "(An image was here that is not there any more.)",
  imageTooMany: "(Another image was here: there are too many to be shown.)",
  noPicture: "(There is no picture of it.)",
  wentBefore: (steps: string) =>
    `Another model has begun with this task. What was done so far, oldest first:\n${steps}\nThe picture shows the screen as it is now. Go on from there.`,
  repair: (steps: string, step: string, why: string) =>
    `This task was done before, and what was recorded then is being done again. The screen is not the recorded one now.${steps === "" ? "" : ` What was done so far, oldest first:\n${steps}`}\nThe next step, as it was recorded: ${step}\nIt was not done: ${why}\nDo only what brings the recording on: close what is in its way, or do this step where it can be done now. As soon as the screen is a recorded one, the recording goes on by itself. Use \`finish\`, without an output, when this step is done, or is not needed today. The picture shows the screen as it is now.`,
  notRepaired:
    "The screen that was recorded after this step is not to be seen. Go on until it is, or use `fail` with the reason.",
  resumed: (note: string | null) =>
    `A person has had the desktop meanwhile${note === null ? "." : `, and says:\n${note}\n`} The picture shows the screen as it is now. Go on from there.`,
  answered: (note: string) => `A person has had the desktop, and answers:\n${note}`,
  notAnswered: "The person went on without a note. The picture shows what was done, if anything was.",
  nobodyAnswered: "Nobody came in time. Go on without, or use `fail` with the reason.",
  element: (step: string) =>
    `This task was done before, and what was recorded then is being done again. The picture decides how its next step is done:\n${step}\nDo this step alone, with one use of a tool; the recording goes on by itself. If what it needs is still loading, wait.`,
  readOff:
    "(what the task and this screen call for: the recorded text stood on the recorded screen, and may be another one now; `fail` where neither says it)",
  saved: (name: string, text: string) => `Saved as {${name}}:\n${text}`,
  cut: (characters: number) => `\n… (cut: it has ${characters} characters in all)`,
} as const;
