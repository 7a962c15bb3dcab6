import { createRandom } from "../shared/random.ts";

export interface SampleText {
  readonly name: string;
  readonly text: string;
}

type Script = readonly [name: string, first: number, last: number, step?: number];

const scripts: readonly Script[] = [
  ["ASCII", 0x20, 0x7e],
  ["Latin-1", 0xa0, 0xff],
  ["Latin Extended-A", 0x100, 0x17f],
  ["Latin Extended-B", 0x180, 0x24f],
  ["phonetic", 0x250, 0x2af],
  ["Greek", 0x370, 0x3ff],
  ["polytonic Greek", 0x1f00, 0x1fff, 3],
  ["Cyrillic", 0x400, 0x4ff],
  ["Armenian", 0x530, 0x58f, 2],
  ["Hebrew", 0x591, 0x5f4],
  ["Arabic", 0x600, 0x6ff],
  ["Devanagari", 0x900, 0x97f],
  ["Bengali", 0x980, 0x9ff, 2],
  ["Tamil", 0xb80, 0xbff, 2],
  ["Thai", 0xe00, 0xe5b],
  ["Georgian", 0x10a0, 0x10ff, 2],
  ["hangul jamo", 0x1100, 0x11ff, 5],
  ["Ethiopic", 0x1200, 0x137f, 11],
  ["Cherokee", 0x13a0, 0x13ff, 3],
  ["Khmer", 0x1780, 0x17ff, 3],
  ["Vietnamese", 0x1ea0, 0x1ef9],
  ["punctuation", 0x2010, 0x205e],
  ["currency", 0x20a0, 0x20c0],
  ["letterlike", 0x2100, 0x214f],
  ["fractions and numerals", 0x2150, 0x218b],
  ["arrows", 0x2190, 0x21ff],
  ["math", 0x2200, 0x22ff],
  ["technical", 0x2300, 0x23ff, 3],
  ["box drawing", 0x2500, 0x257f],
  ["blocks and shapes", 0x2580, 0x25ff],
  ["symbols", 0x2600, 0x26ff, 3],
  ["dingbats", 0x2700, 0x27bf, 3],
  ["braille", 0x2800, 0x28ff, 7],
  ["CJK punctuation", 0x3000, 0x303f],
  ["hiragana", 0x3041, 0x309f],
  ["katakana", 0x30a0, 0x30ff],
  ["kanji", 0x4e00, 0x9fff, 163],
  ["hangul", 0xac00, 0xd7a3, 89],
  ["ligatures", 0xfb00, 0xfb17],
  ["Arabic forms", 0xfe70, 0xfefc, 3],
  ["half and full width", 0xff01, 0xffee, 2],
  ["Gothic", 0x10330, 0x1034a],
  ["math letters", 0x1d400, 0x1d7ff, 23],
  ["emoji", 0x1f300, 0x1f64f, 13],
  ["more emoji", 0x1f900, 0x1f9ff, 7],
  ["rare kanji", 0x20000, 0x2a6df, 1301],
];

const chunkLength = 32;

/** All assigned characters except control characters. */
function charactersOf([, first, last, step = 1]: Script): readonly string[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) =>
    String.fromCodePoint(first + at * step),
  ).filter((character) => /[^\p{Cn}\p{Cc}\p{Cs}\p{Co}]/u.test(character));
}

function textsOf(script: Script): readonly SampleText[] {
  const characters = charactersOf(script);
  return Array.from({ length: Math.ceil(characters.length / chunkLength) }, (_, at) => ({
    name: `${script[0]} ${at + 1}`,
    text: characters.slice(at * chunkLength, (at + 1) * chunkLength).join(""),
  }));
}

const sentences: Readonly<Record<string, string>> = {
  German: "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ÄÖÜ ẞ",
  French: "Dès Noël, où un zéphyr haï me vêt de glaçons würmiens, je dîne d'exquis rôtis de bœuf à l'aÿ !",
  Polish: "żółć ŁÓDŹ Zażółć gęślą jaźń",
  Czech: "Příliš žluťoučký kůň úpěl ďábelské ódy",
  Spanish: "¿Qué? ¡El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío, añoraba!",
  Turkish: "Pijamalı hasta yağız şoföre çabucak güvendi. İIıi",
  Icelandic: "Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa",
  Vietnamese: "Ngoài những lúc ăn và ngủ, tôi đều vội vã",
  "Vietnamese, decomposed": "Tiếng Việt có dấu".normalize("NFD"),
  Russian: "Привет, мир! Съешь же ещё этих мягких французских булок, да выпей чаю. ЩЪЫ",
  Ukrainian: "Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів! ҐЄІЇ",
  Serbian: "Љубазни фењерџија чађавог лица хоће да ми покаже штос. ЏЋЂ",
  Bulgarian: "Ах чудна българска земьо, полюшвай цъфтящи жита",
  Greek: "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Ϊ ΰ ς",
  Hebrew: "דג סקרן שט בים מאוכזב ולפתע מצא חברה. שָׁלוֹם",
  Arabic: "نص حكيم له سر قاطع وذو شأن عظيم. مَرْحَبًا ٠١٢٣٤٥٦٧٨٩",
  Persian: "می‌خواهم چای پ چ ژ گ",
  Hindi: "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश",
  Thai: "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
  Japanese: "いろはにほへと、ちりぬるを。吾輩は猫である。カタカナ・ｶﾀｶﾅ",
  "Japanese, decomposed": "がぎぐげござじずぜぞ".normalize("NFD"),
  Korean: "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
  "Korean, decomposed": "한글".normalize("NFD"),
  Chinese: "我能吞下玻璃而不伤身体。視野無限廣，窗外有藍天",
  "all of them": "Aß ñ Ω Ж ש ع ก क あ 漢 한 😀",
  "right-to-left marks": "a\u200fב\u200eC\u202bד\u202cE\u2067ו\u2069",
  joiners: "क्\u200dष क्\u200cष می\u200cخواهم a\u2060b",
  "combining marks": "a\u0301e\u0300o\u0302u\u0308n\u0303c\u0327 q\u0307\u0323 Z\u0351\u036b\u0343",
  families: "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🧑🏿‍🚀 👁️‍🗨️ ❤️‍🔥",
  "skin tones": "👍🏻👍🏼👍🏽👍🏾👍🏿✋🏽",
  flags: "🇩🇪🇫🇷🇯🇵🇺🇸🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "variation selectors": "☺︎☺️ ✔︎✔️ 1️⃣ #️⃣ 葛󠄀",
  "one emoji again and again": "😀😀😀😀😀",
  "one letter again and again": "aaaaaaaaaaaaaaaa",
  "one spare letter again and again": "ßßßßßßßßßßßßßßßß",
  "two by two": "ßßaaßßaaёёЁЁaa",
  "letters in turn": "aßaßaßaßaßaßaß",
  "letters of three scripts in turn": "aяあaяあaяあ",
  "small and capital": "aAaA ёЁёЁ éÉéÉ ßẞßẞ σΣςΣ ıIiİ ǆǅǄ",
  "capitals and digits": "A1B2C3!@#D4$%^E5",
  "spaces between": "a b  c   d    e",
  "spaces around": "   a   ",
  tab: "\t",
  "tabs between": "a\tb\t\tß\té",
  lines: "one\ntwo\n\nthree ß\nя\n",
  "lines of Windows": "one\r\ntwo\r\n",
  "lines of old": "one\rtwo",
  "other spaces": "a\u00a0b\u2003c\u2009d\u3000e\u202ff",
  quotes: "'single' \"double\" `back` ´acute´ “curly” ‘curly’ „low“ «guillemets» ‹single›",
  shell: "echo \"$HOME\" | grep -v 'x' && rm -rf ./~* ; $(id) `id` > /dev/null 2>&1 # !! \\n {a,b} [c-d] ?",
  URL: "https://user:p%40ss@example.com:8443/a/b.html?q=1&r=%C3%A9#frag~!$'()*,;=",
  "an address": "müller+tag@exämple.de",
  "a path": "C:\\Program Files\\Ünïcode\\~tmp$\\file (1).txt",
  password: "tr0ub4dor&3 Pä$$wörd£€¥^¨~`´",
  code: "if (a <= b && !c) {\n\treturn x ? [1, 2] : { 'k': `$v{}` }; // π ≈ 3.14\n}",
  JSON: '{"key": ["välue", null, -1.5e+10, true], "\\u00e9": "\\\\"}',
  SQL: "SELECT * FROM \"t\" WHERE a LIKE '%x_' AND b <> 'O''Brien'; -- ok",
  regex: "^(?:[a-z]+|\\d{2,3})[^\\]]*?\\\\$",
  HTML: '<a href="/x?y=1&amp;z">&lt;ü&gt;</a>',
  "dead keys": "^ ` ´ ¨ ~ ° ¸ ˇ ˘ ˝ ˛ ˙ ^a `a ´e ¨u ~n",
  "AltGr signs": "@€{}[]\\|~µ²³§°¬¦łŁøØ",
  math: "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β, ∫₀^∞ e⁻ˣ² dx = √π⁄2, 𝒜 ≠ 𝔸",
  box: "┌─┬─┐\n│ ║ │\n└─┴─┘",
  "music and old scripts": "♩♪♫ 𝄞𝄢 ᚠᛇᚻ ᛒᛦᚦ 𓀀𓂀",
  "a byte-order mark": "a\ufeffb",
  "object replacement": "a\ufffcb\ufffd",
  "private use": "\ue000\uf8ff",
  "one character": "a",
  "one spare character": "ж",
  "one emoji": "🫠",
  "a capital": "A",
  "a newline": "\n",
  "a space": " ",
};

/** A flag or a family stays whole: half of one would be moved by the program to where it fits. */
const sentencesByGrapheme = Object.values(sentences).map((sentence) =>
  Array.from(new Intl.Segmenter().segment(sentence), ({ segment }) => segment),
);

const everyCharacter = scripts.flatMap(charactersOf);

function mixedText(seed: number, length: number): string {
  const random = createRandom(seed).next;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  let text = "";
  for (;;) {
    const script = random() < 0.5 ? charactersOf(pick(scripts)) : everyCharacter;
    const letters = random() < 0.4 ? pick(sentencesByGrapheme) : script;
    const word = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(letters)).join("");
    const next = text + word.replaceAll("\r", "\n") + (random() < 0.1 ? "\n" : " ");
    if (next.length > length) return text;
    text = next;
  }
}

export const texts: readonly SampleText[] = [
  ...scripts.flatMap(textsOf),
  ...Object.entries(sentences).map(([name, text]) => ({ name, text })),
  ...Array.from({ length: 20 }, (_, seed) => ({ name: `mix ${seed}`, text: mixedText(seed, 60) })),
  {
    name: "5,000 of ASCII",
    text: "The quick brown fox jumps over a lazy dog; 42!\n".repeat(107).slice(0, 5_000),
  },
  { name: "2,000 of mixed scripts", text: mixedText(5_000, 2_000) },
];

/** Texts that no key can type, each named after the character that is refused. */
export const refusedTexts: readonly SampleText[] = [
  ...[0x00, 0x01, 0x07, 0x08, 0x0b, 0x0c, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f].map((code) => ({
    name: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`,
    text: `before ß ${String.fromCodePoint(code)} after`,
  })),
];

/** Joins texts, one per line, so that there are fewer calls: a call takes longer than its content. */
export function inGroups(samples: readonly SampleText[], size: number): readonly SampleText[] {
  const long = samples.filter(({ text }) => text.length > 1_000);
  const short = samples.filter((sample) => !long.includes(sample));
  const groups = Array.from({ length: Math.ceil(short.length / size) }, (_, at) =>
    short.slice(at * size, (at + 1) * size),
  );
  const joined = groups.map((group) => ({
    name: `${group[0]?.name} to ${group.at(-1)?.name}`,
    text: group.map(({ text }) => text).join("\n"),
  }));
  return [...joined, ...long];
}

export const fewTexts: readonly SampleText[] = texts.filter(({ name }) =>
  ["all of them", "small and capital", "AltGr signs", "shell", "Russian", "Polish", "lines"].includes(name),
);

/**
 * Removes characters that no keysym can bring to GTK 3: its input method keeps 16 bits of a keysym, and takes these for
 * dead keys and Multi_key. Chromium uses the same.
 *
 * Source: https://gitlab.gnome.org/GNOME/gtk/-/blob/gtk-3-24/gtk/gtkimcontextsimple.c, `compose_buffer`.
 */
export function withoutLostByGtk(text: string): string {
  return text.replaceAll(/[\ufe50-\ufe93\uff20]/gu, "");
}
