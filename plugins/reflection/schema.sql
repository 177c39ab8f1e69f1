-- Written by npm run schema. The migrations make this.

