function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/\p{Cc}/gu, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
}

export function textElement(name: string, text: string | number | boolean | undefined): string {
  return text === undefined ? "" : `<${name}>${escapeXml(String(text))}</${name}>`;
}

export function xmlDocument(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content}`;
}
