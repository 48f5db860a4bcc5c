import { expect, it } from 'vitest';
import { leadLinks } from '../../../generator/previews/lead-links.ts';

const places = {
  pageUrl: 'https://ink.example/a-post/',
  blogUrl: 'https://ink.example/',
  previewUrl: 'https://api.example/preview/layouts/token/',
};
const led = (body: string) =>
  /<body>(.*)<\/body>/s.exec(leadLinks(`<!doctype html><title>x</title><body>${body}</body>`, places))?.[1];

it.each([
  ['<a href="/tags/ink/">', 'https://api.example/preview/layouts/token/tags/ink/'],
  ["<a href='/'>", 'https://api.example/preview/layouts/token/'],
  ['<a href=../b/#c>', 'https://api.example/preview/layouts/token/b/#c'],
  ['<a href="https://ink.example/search/?q=a/">', 'https://api.example/preview/layouts/token/search/?q=a/'],
  ['<a href="/feed.xml">', 'https://ink.example/feed.xml'],
  ['<a href="https://ink.example.org/">', 'https://ink.example.org/'],
  ['<a href="#Content">', '#Content'],
  ['<a href="mailto:ada@ink.example">', 'mailto:ada@ink.example'],
  ['<link href="/a-post/">', 'https://ink.example/a-post/'],
  ['<img src=/og/a.png>', 'https://ink.example/og/a.png'],
  ['<noscript><img src="b.png"></noscript>', 'https://ink.example/a-post/b.png'],
  ['<template><img src="/c.png"></template>', 'https://ink.example/c.png'],
])('an address of a page in a preview, %s, leads to %s', (html, address) => {
  expect(/(?:href|src)="([^"]*)"/.exec(led(html) ?? '')?.[1]).toBe(address);
});

it('each candidate of a source set leads to the blog', () => {
  expect(led('<img srcset="/a.png 1x, b.png 2x">')).toBe(
    '<img srcset="https://ink.example/a.png 1x, https://ink.example/a-post/b.png 2x">',
  );
});

it('scripts and handlers are left out', () => {
  expect(led('<p onclick="x()">a<script>b()</script></p><svg><script>c()</script></svg>')).toBe(
    '<p>a</p><svg></svg>',
  );
});
