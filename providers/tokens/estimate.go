package tokens

func estimate(s string) int { return (len(s) + 3) / 4 }
