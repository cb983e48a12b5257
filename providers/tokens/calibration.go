package tokens

import "math"

// Calibration corrects the counts of one model by what its server counted. The
// server's chat template adds some tokens to every request, and its encoding
// makes more or fewer tokens of a text, so the correction is a line:
//
//	actual = Offset + Factor · raw
//
// It is found by least squares of the relative errors, with the prior knowledge
// that a count is about right, so that a single observation can be used and a
// strange one does little harm. Old observations fade.
//
// A Calibration is a value; the zero one corrects nothing, and it can be kept as
// JSON. For an exact counter only the offset is learnt.
type Calibration struct {
	Exact  bool `json:"exact,omitempty"`  // the counter is exact: the factor is 1
	Seen   int  `json:"seen"`             // observations that were believed
	Doubts int  `json:"doubts,omitempty"` // observations in a row that were not

	// Sums over the observations, each weighted by 1/actual².
	Weight float64 `json:"weight"`  // Σ w
	Raw    float64 `json:"raw"`     // Σ w·raw
	RawRaw float64 `json:"raw_raw"` // Σ w·raw²
	Act    float64 `json:"act"`     // Σ w·actual
	RawAct float64 `json:"raw_act"` // Σ w·raw·actual
}

const (
	fade = 0.85 // what an observation's weight is multiplied by at each later one

	spread       = 0.03 // relative error of a count that fits the line
	offsetPrior  = 30.0 // tokens; what chat templates add to our own marks around messages
	offsetSpread = 40.0 // tokens
	factorSpread = 0.4

	minFactor, maxFactor = 0.3, 3.0
	maxOffset            = 1000.0 // tokens; templates with a system prompt of their own stay below

	tooFew   = 0.45 // of the raw count: only a server that reports less than it got counts so few tokens
	tooMany  = 4.0  // of the raw count, besides maxOffset
	doubtful = 0.7  // of the estimate
	patience = 5    // doubtful observations in a row after which they are the truth
)

// Observe returns the calibration with what it learns from a request for which
// we counted raw tokens and the server actual ones, both for the whole input,
// and whether it believed the numbers. It does not believe 0, nor numbers that
// no encoding makes: they come from servers that leave out cached tokens, or
// that dropped a part of the input.
func (c Calibration) Observe(raw, actual int) (Calibration, bool) {
	if raw <= 0 || actual <= 0 || c.absurd(float64(raw), float64(actual)) {
		return c, false
	}
	if c.Seen >= 3 && float64(actual) < doubtful*float64(c.Estimate(raw)) {
		if c.Doubts++; c.Doubts < patience {
			return c, false
		}
		c = Calibration{Exact: c.Exact} // another model has taken the name
	}
	x, y := float64(raw), float64(actual)
	w := 1 / (y * y)
	c.Weight = fade*c.Weight + w
	c.Raw = fade*c.Raw + w*x
	c.RawRaw = fade*c.RawRaw + w*x*x
	c.Act = fade*c.Act + w*y
	c.RawAct = fade*c.RawAct + w*x*y
	c.Seen++
	c.Doubts = 0
	return c, true
}

func (c Calibration) absurd(raw, actual float64) bool {
	few := tooFew
	if c.Exact {
		few = 0.95
	}
	return actual < few*raw || actual > tooMany*raw+maxOffset
}

// Estimate returns the number of tokens that the server would count for a
// request for which we count raw; raw itself before anything is known. It is 0
// for an empty request and never below.
func (c Calibration) Estimate(raw int) int {
	if raw <= 0 {
		return 0
	}
	offset, factor := c.Line()
	return int(math.Round(offset + factor*float64(raw)))
}

// Line returns the offset in tokens, not below 0, and the factor; 0 and 1 before anything
// is known.
func (c Calibration) Line() (offset, factor float64) {
	if c.Seen <= 0 || !(c.Weight > 0) {
		return 0, 1
	}
	if c.Exact {
		return within((c.Act-c.Raw)/c.Weight, 0, maxOffset), 1
	}
	// The normal equations, with the prior as two more observations.
	priorA, priorF := square(spread/offsetSpread), square(spread/factorSpread)
	aa, af, ff := c.Weight+priorA, c.Raw, c.RawRaw+priorF
	a, f := c.Act+priorA*offsetPrior, c.RawAct+priorF
	offset = within((a*ff-f*af)/(aa*ff-af*af), 0, maxOffset)
	factor = within((f-offset*af)/ff, minFactor, maxFactor) // the best for this offset, bounded or not
	return offset, factor
}

func square(x float64) float64 { return x * x }

// within returns x, or the bound that it is beyond. What is not a number, as
// from a damaged file, becomes the lower one.
func within(x, lo, hi float64) float64 {
	if !(x > lo) {
		return lo
	}
	return min(x, hi)
}
