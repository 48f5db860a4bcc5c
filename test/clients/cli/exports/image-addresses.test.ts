import { expect, it } from 'vitest';
import { createImageFiles } from '../../../../clients/cli/exports/image-addresses.ts';

const BLOG = '0190f3c0-0000-7000-8000-00000000000a';
const image = (number: number, filename: string | null) => ({
  url: `https://media.example/${BLOG}/0190f3c0-0000-7000-8000-00000000000${number}.png`,
  filename,
});

it('an image is found by every address that it ever had, and by no other', () => {
  const { find } = createImageFiles([image(1, 'pot.png')]);
  const path = `/${BLOG}/0190f3c0-0000-7000-8000-000000000001.png`;
  for (const address of [
    `https://media.example${path}`,
    `http://old.example/media${path}`,
    `//x.example${path}`,
    `/media${path}`,
  ])
    expect(find(address)?.file).toBe('images/pot.png');
  for (const address of [
    path,
    `/files${path}`,
    `https://media.example${path}?w=1`,
    `https://a.example/?u=/media${path}`,
    path.replace('1.png', '2.png'),
  ])
    expect(find(address)).toBeUndefined();
});

it('every image has a file of its own, whose name leads nowhere else', () => {
  const images = [
    image(1, 'pot.png'),
    image(2, 'Pot.PNG'),
    image(3, null),
    image(4, '../../etc/pass wd'),
    image(5, '.hidden'),
  ];
  const { find } = createImageFiles(images);
  expect(images.map(({ url }) => find(url)?.file)).toEqual([
    'images/pot-000000000001.png',
    'images/Pot-000000000002.png',
    'images/0190f3c0-0000-7000-8000-000000000003.png',
    'images/etc-pass-wd.png',
    'images/0190f3c0-0000-7000-8000-000000000005.png',
  ]);
});
