/** Columns of five pixels' width and seven bits' height, the lowest bit on top; from the space on. */
const columns =
  "0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649552250 0005030000 001c224100 0041221c00 " +
  "082a1c2a08 08083e0808 0050300000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31 " +
  "1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0056360000 0008142241 1414141414 " +
  "4122140800 0201510906 324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090101 3e41415132 " +
  "7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f0204027f 7f0408107f 3e4141413e 7f09090906 3e4151215e " +
  "7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 7f2018207f 6314081463 0304780403 6151494543 00007f4141 " +
  "0204081020 41417f0000 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 " +
  "087e090102 081454543c 7f08040478 00447d4000 2040443d00 007f102844 00417f4000 7c04180478 7c08040478 3844444438 " +
  "7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c " +
  "4464544c44";

const glyphs = columns.split(" ").map((glyph) => Buffer.from(glyph, "hex"));

export const glyphPixels = { width: 6, height: 8 } as const;

/** Calls back for each pixel that the text's line sets, from its upper left corner. */
export function eachInkPixel(text: string, set: (x: number, y: number) => void): void {
  for (const [at, character] of [...text].entries()) {
    const glyph = glyphs[character.charCodeAt(0) - 32];
    if (glyph === undefined) throw new Error(`the font has no ${JSON.stringify(character)}`);
    for (const [column, bits] of glyph.entries()) {
      for (let row = 0; row < 7; row += 1) {
        if (((bits >> row) & 1) === 1) set(at * glyphPixels.width + column, row);
      }
    }
  }
}
