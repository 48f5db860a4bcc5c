export default { layout: 'post.njk', permalink: ({ page }) => `/${page.fileSlug}/` };
