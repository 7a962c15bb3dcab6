/** Most characters (code points) of a resource's name. */
const nameCharactersMax = 255;

/** The end of a long name makes room. */
export function copyName(name: string): string {
  const suffix = " (Copy)";
  const kept = [...name].slice(0, nameCharactersMax - suffix.length).join("");
  return `${kept}${suffix}`.trimStart();
}
